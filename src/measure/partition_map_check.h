// The check of a PartitionMap that was read from a file: everything that computes with a map relies
// on its order. A pure function; any thread.
#pragma once

#include <optional>
#include <string>

#include "partitions/partition_map.h"

namespace hashrange {

struct MapProblem {
  std::string member = {};  // "partitions[3].parent"
  const char* wanted = "";  // what the member is not: "0 or the number of an earlier partition"
};

// Returns the first thing that is wrong with the map; nothing when it is in order: partitions
// ascend by number, each partition comes after its parent, ranges are hashes, slices ascend and
// have a length, and so do the partitions in each slice.
std::optional<MapProblem> FindMapProblem(const PartitionMap& map);

}  // namespace hashrange
