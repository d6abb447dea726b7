#include "base/memory/arena.h"

#include <algorithm>

namespace hashrange {

void* Arena::AllocateSlow(std::size_t bytes) {
  // The block is aligned for every fundamental type, so the allocation can start at the first byte.
  const std::size_t size = std::max(bytes, block_bytes_);
  Block block = MakeCountedBytes<MemoryPart::kArenas>(size);
  char* const begin = block.get();
  if (!first_ && size == block_bytes_) {
    first_ = std::move(block);
  } else {
    more_.push_back(std::move(block));  // without memory, the arena stays as it was
  }
  current_ = begin;
  used_ = bytes;
  end_ = size;
  return begin;
}

void Arena::Reset() {
  more_.clear();
  current_ = first_.get();
  used_ = 0;
  end_ = first_ ? block_bytes_ : 0;
}

}  // namespace hashrange
