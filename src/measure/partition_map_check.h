// What is done with a PartitionMap that was read from a file, before anything computes with it.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>

#include "simulation/partitions/partition_map.h"

namespace hashrange {

struct MapProblem {
  std::string member = {};  // "partitions[3].parent"
  const char* wanted = "";  // what the member is not: "0 or a number below its own"
};

// Returns the first thing that is wrong with the map; nothing when the map is in the order on which
// everything relies that computes with it: partitions
// ascend by number, and no parent, which need not be in the map, has a greater number than its
// parts; ranges are hashes; slices have a length and ascend, and so do the partitions in each of
// them.
std::optional<MapProblem> FindMapProblem(const PartitionMap& map);

// Makes what was served the demand of a map without any demand, such as one of a file from before
// the demand was counted.
void FillMissingDemand(PartitionMap* map);

}  // namespace hashrange
