#include "server/http/read_buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace hashrange {
std::span<char> ReadBuffer::Prepare() {
  if (capacity_ == 0) Reallocate(kInitialBytes);
  if (capacity_ - end_ < capacity_ / 4 && begin_ > 0) {
    std::memmove(bytes_.get(), data(), size());
    end_ -= begin_;
    begin_ = 0;
  }
  if (capacity_ - end_ < capacity_ / 4 && capacity_ < kMaxBytes) {
    Reallocate(std::min(capacity_ * 2, kMaxBytes));
  }
  return {bytes_.get() + end_, capacity_ - end_};
}

void ReadBuffer::Consume(std::size_t count) {
  begin_ += count;
  if (begin_ == end_) begin_ = end_ = 0;
}

void ReadBuffer::Erase(std::size_t offset, std::size_t count) {
  char* gap = data() + offset;
  std::memmove(gap, gap + count, size() - offset - count);
  end_ -= count;
}

void ReadBuffer::ReleaseExcess() {
  if (capacity_ <= kInitialBytes || size() > kInitialBytes / 2) return;
  const bool is_scarce = limits_ && limits_->AreBytesScarce();
  if (capacity_ > kKeptBytes || is_scarce) Reallocate(kInitialBytes);
}

void ReadBuffer::Release() {
  if (limits_) limits_->ReturnBytes(Limits::BytesThatCount(capacity_));
  bytes_ = nullptr;
  capacity_ = begin_ = end_ = 0;
}

bool ReadBuffer::Reallocate(std::size_t capacity) {
  const std::int64_t more = Limits::BytesThatCount(capacity) - Limits::BytesThatCount(capacity_);
  if (limits_ && more > 0 && !limits_->TakeBytes(more)) return false;
  CountedBytes<MemoryPart::kBuffers> bytes;
  try {
    bytes = MakeCountedBytes<MemoryPart::kBuffers>(capacity + 1);
  } catch (const std::bad_alloc&) {
    if (limits_ && more > 0) limits_->ReturnBytes(more);
    throw;
  }
  if (limits_ && more < 0) limits_->ReturnBytes(-more);
  const std::size_t kept = size();
  if (kept > 0) std::memcpy(bytes.get(), data(), kept);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
  begin_ = 0;
  end_ = kept;
  return true;
}

}  // namespace hashrange
