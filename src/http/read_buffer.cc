#include "http/read_buffer.h"

#include <algorithm>
#include <cstring>

namespace hashrange {

std::span<char> ReadBuffer::Prepare() {
  if (capacity_ == 0) Reallocate(kInitialBytes);
  if (capacity_ - end_ < capacity_ / 4 && begin_ > 0) {
    std::memmove(bytes_.get(), data(), size());
    end_ -= begin_;
    begin_ = 0;
  }
  if (capacity_ - end_ < capacity_ / 4) Reallocate(capacity_ * 2);
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
  if (capacity_ > kKeptBytes && size() <= kInitialBytes / 2) Reallocate(kInitialBytes);
}

void ReadBuffer::Reallocate(std::size_t capacity) {
  auto bytes = std::make_unique_for_overwrite<char[]>(capacity + 1);
  const std::size_t kept = size();
  if (kept > 0) std::memcpy(bytes.get(), data(), kept);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
  begin_ = 0;
  end_ = kept;
}

}  // namespace hashrange
