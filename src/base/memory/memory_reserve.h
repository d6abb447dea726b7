// The memory reserve of a thread: memory that the thread draws before work that must not stop half
// way, such as the application of a commit whose changes are logged already. While the allocator
// has memory, the reserve stays as it is. When the allocator has none, the blocks of the work come
// from the reserve.
//
//   DrawReserve(most)  ── fails, and nothing was changed
//     └─ AllocateReserved … AllocateReserved   at most `most` bytes: cannot fail
//
// A reserve is one block of the allocator, which is not touched until it is used. So it takes
// address space, and hardly any memory of the machine. A reserve of which blocks have been used is
// freed when the last of these blocks is freed, by any thread; the thread draws a new one for its
// next work.
//
// Each thread has its own reserve. FreeReserved may be called from any thread.
#pragma once

#include <cstddef>

#include "base/memory/live_memory.h"

namespace hashrange {

// Returns the part of a reserve that a block of `bytes` takes. The sum for all blocks of the work
// is what DrawReserve is to be called with.
constexpr std::size_t ReservedBytes(std::size_t bytes) {
  constexpr std::size_t kAlign = 16, kHeaderBytes = 16;
  return (bytes + kHeaderBytes + kAlign - 1) & ~(kAlign - 1);
}

// Makes the calling thread's reserve have at least `bytes`. Errors: throws std::bad_alloc
// Cost: a comparison, except when the reserve is too small or much larger than needed.
void DrawReserve(std::size_t bytes);

// Returns a block for at least `bytes`, counted as part of `part`: from the allocator, or from the
// calling thread's reserve when the allocator has no memory. FreeReserved frees the block.
// Errors: throws std::bad_alloc when the reserve does not suffice, either
void* AllocateReserved(MemoryPart part, std::size_t bytes);
void FreeReserved(MemoryPart part, void* block) noexcept;

// The allocator of a container that changes during such work.
template <typename T, MemoryPart kPart>
struct ReservedAllocator {
  using value_type = T;
  template <typename Other>
  struct rebind {
    using other = ReservedAllocator<Other, kPart>;
  };

  ReservedAllocator() = default;
  template <typename Other>
  ReservedAllocator(const ReservedAllocator<Other, kPart>&) {}  // NOLINT: implicit

  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(AllocateReserved(kPart, count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t) noexcept { FreeReserved(kPart, block); }
  friend bool operator==(const ReservedAllocator&, const ReservedAllocator&) { return true; }
};

// ---- room in Abseil's hash tables ----
//
// Such a table is broken when its allocator throws while it grows: it has taken over the new
// capacity already. A table that may grow when memory is missing therefore has a ReservedAllocator,
// and its owner calls MakeRoom before an insertion.

// Returns what a table with one slot more than twice those of `table` takes of a reserve at most.
template <typename Table>
std::size_t BytesOfDoubledTable(const Table& table) {
  constexpr std::size_t kSlotBytes = sizeof(typename Table::value_type) + 1, kControlBytes = 64;
  return ReservedBytes((2 * table.capacity() + 1) * kSlotBytes + kControlBytes);
}

// Draws what the table takes if the next insertion makes it grow, so that the insertion does not
// fail for the table's own sake. Errors: throws std::bad_alloc, and the table stays as it is
// Cost: two comparisons, unless the table is nearly full.
template <typename Table>
void MakeRoom(const Table& table) {
  // A larger table with at most 25/32 of its slots in use does not grow: it removes the marks of
  // erased slots, which needs no memory. Otherwise the capacity becomes 2 n + 1.
  constexpr std::size_t kSmall = 16;
  const std::size_t capacity = table.capacity();
  if (capacity > kSmall && table.size() * 32 <= capacity * 25) return;
  DrawReserve(BytesOfDoubledTable(table));
}

// Draws what a copy of the table takes at most, and returns the table: a copy breaks without
// memory, too. Errors: throws std::bad_alloc
template <typename Table>
const Table& DrawForCopy(const Table& table) {
  DrawReserve(BytesOfDoubledTable(table));
  return table;
}

}  // namespace hashrange
