// Room in Abseil's hash tables. Such a table is broken when its allocator throws while it grows: it
// has taken over the new capacity already. A table that may grow when memory is missing therefore
// has a ReservedAllocator, and its owner calls MakeRoom before an insertion.
#pragma once

#include <cstddef>

#include "base/memory/memory_reserve.h"

namespace hashrange {

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
