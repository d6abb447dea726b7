// Arena: memory for one request, freed all at once. What a request parses, binds
// and computes is stored here and used through views. No destructor is run for the contents.
// Not thread-safe: each thread has its own arena and resets it between requests.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/memory/live_memory.h"

namespace hashrange {

class Arena {
 public:
  // `block_bytes`: the size of a block; an allocation that is larger gets a block of its own size.
  explicit Arena(std::size_t block_bytes = 64 << 10) : block_bytes_(block_bytes) {}
  // `first_block`: the memory that is used first, until the first Reset. Outlives the arena.
  explicit Arena(std::span<char> first_block)
      : block_bytes_(first_block.size()), current_(first_block.data()), end_(first_block.size()) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* Allocate(std::size_t bytes, std::size_t align = alignof(std::max_align_t)) {
    std::size_t start = (used_ + align - 1) & ~(align - 1);
    if (start + bytes > end_) return AllocateSlow(bytes);
    used_ = start + bytes;
    return current_ + start;
  }
  char* AllocateBytes(std::size_t bytes) { return static_cast<char*>(Allocate(bytes, 1)); }

  template <typename T, typename... Args>
  T* New(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (Allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }
  // Returns `count` value-initialised elements.
  template <typename T>
  std::span<T> NewArray(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* first = static_cast<T*>(Allocate(sizeof(T) * count, alignof(T)));
    for (std::size_t i = 0; i < count; ++i) new (first + i) T();
    return {first, count};
  }
  template <typename T>
  std::span<T> Copy(std::span<const T> from) {
    static_assert(std::is_trivially_copyable_v<T>);
    T* first = static_cast<T*>(Allocate(sizeof(T) * from.size(), alignof(T)));
    if (!from.empty()) std::memcpy(static_cast<void*>(first), from.data(), sizeof(T) * from.size());
    return {first, from.size()};
  }
  std::string_view Copy(std::string_view text) {
    char* bytes = AllocateBytes(text.size());
    if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
    return {bytes, text.size()};
  }

  // Frees everything. The first block is kept for the next request.
  void Reset();

 private:
  void* AllocateSlow(std::size_t bytes);

  const std::size_t block_bytes_;
  char* current_ = nullptr;  // the block being filled
  std::size_t used_ = 0;     // the bytes of the block that are allocated
  std::size_t end_ = 0;      // the size of the block in bytes
  using Block = CountedBytes<MemoryPart::kArenas>;
  Block first_;
  std::vector<Block> more_;
};

}  // namespace hashrange
