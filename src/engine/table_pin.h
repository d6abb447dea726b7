// TablePin: a table as it was at one instant, its items and the entries of its indexes. What
// a snapshot keeps and a fork starts from: the roots of its maps, not a copy.
//
// Immutable; any thread may hold, read and drop one. Whoever drops the last owner of millions
// of items frees them then and there: let the catalog do it behind (Catalog::Discard).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/ordered_map.h"
#include "engine/partition.h"
#include "engine/table_version.h"

namespace hashrange {

// A map and its totals (CountedMap). A null root: it is empty.
struct PinnedMap {
  MapRoot root;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

struct TablePin {
  // For each number of a partition.
  template <typename T>
  using ByPartition = std::array<T, PartitionSet::kPartitions>;

  TableRef version;  // which was published then
  ByPartition<PinnedMap> items;
  std::vector<ByPartition<PinnedMap>> indexes;  // as version->indexes
};

// The table as it is now. The caller holds all of its partitions (Table::Exclusive).
// Cost: O(partitions).
TablePin PinTable(TableRef version);

// Gives `version`, whose table is new and known to nobody else, the content of `pin`. Its
// indexes of the same name as one of the pinned version have the same keys as that one; the
// others stay empty. Cost: O(partitions).
void StartFrom(const TablePin& pin, const TableVersion& version);

}  // namespace hashrange
