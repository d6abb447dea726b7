// TablePin: a table as it was at one instant, with its items and the entries of its indexes. A
// snapshot keeps a TablePin and a fork starts from one. It refers to the roots of the maps and
// copies nothing.
//
// Immutable; any thread may hold, read and release a pin. A thread that releases the last reference
// to millions of items frees them at once: Catalog::Discard does that on another thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/map/ordered_map.h"
#include "engine/map/partition.h"
#include "engine/table_version.h"

namespace hashrange {

// A map and its totals (CountedMap), or the map of a vector index (CountedVectors). The root of an
// empty map is null.
struct PinnedMap {
  MapRoot root;
  VectorRoot vectors;
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
  std::int64_t value_bytes = 0;  // of a vector index
};

struct TablePin {
  // One T for each number of a partition.
  template <typename T>
  using ByPartition = std::array<T, PartitionSet::kPartitions>;

  TableRef version;  // the published version at that instant
  ByPartition<PinnedMap> items;
  std::vector<ByPartition<PinnedMap>> indexes;  // in the order of version->indexes
};

// Returns the table as it is now. The caller has locked all of its partitions (Table::Exclusive).
// Cost: O(partitions).
TablePin PinTable(TableRef version);

// Fills the table of `version`, which is new and known to nobody else, with the content of `pin`.
// An index with the same name as an index of the pinned version has the same key; the other indexes
// stay empty. Cost: O(partitions).
void StartFrom(const TablePin& pin, const TableVersion& version);

}  // namespace hashrange
