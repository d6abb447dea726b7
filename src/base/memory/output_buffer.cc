#include "base/memory/output_buffer.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr std::size_t kLeastBytes = 1 << 10;

}  // namespace

void OutputBuffer::Grow(std::size_t bytes) {
  const std::size_t capacity = std::max({size_ + bytes, capacity_ * 2, kLeastBytes});
  auto grown = MakeCountedBytes<MemoryPart::kBuffers>(capacity);
  if (size_ > 0) std::memcpy(grown.get(), bytes_.get(), size_);
  bytes_ = std::move(grown);
  capacity_ = capacity;
}

}  // namespace hashrange
