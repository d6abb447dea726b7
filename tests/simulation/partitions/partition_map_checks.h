// Checks of a PartitionMap that hold for every model, whatever happened to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simulation/partitions/partition_map.h"

namespace hashrange::test {

// Returns the partitions that have not ended, in the order of their ranges.
std::vector<PartitionMeasure> CurrentPartitions(const PartitionMap& map);
// Returns what is wrong with the ranges of the partitions that have not ended: together they have
// each position once. Empty: nothing.
std::string RangeComplaint(const PartitionMap& map);
// Returns what is wrong with the partitions that ended: the parts of each have its range, and begin
// when it ended. Empty: nothing.
std::string ParentComplaint(const PartitionMap& map);
// Returns the units of all partitions; the units of all slices.
double UnitsOfPartitions(const PartitionMap& map);
double UnitsOfSlices(const PartitionMap& map);
// Returns all of the map as text, so that maps can be compared.
std::string TextOfMap(const PartitionMap& map);

}  // namespace hashrange::test
