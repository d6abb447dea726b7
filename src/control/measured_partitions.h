// Puts the partitions of the measured tables into a measurement, where partitions are modelled. Any
// thread.
#pragma once

#include "control/control_parts.h"
#include "measure/measurement.h"

namespace hashrange {

// Sets the maps of the measured tables and their global indexes, from the begin of the measurement
// on. Tables that were deleted, and those for which no partitions are modelled any more, have none.
// Cost: O(tables + the size of the maps).
void AddPartitionMaps(const ControlParts& parts, Measurement* measurement);

}  // namespace hashrange
