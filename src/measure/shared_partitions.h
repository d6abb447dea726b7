// What a partition serves, and which keys share one.
//
// A local index has no partitions of its own: its entries are in those of its table, so what calls
// take of a key there, they take of the table's key (docs/service/20-partition-model.md, section
// 1). Pure functions; any thread.
#pragma once

#include "measure/measurement.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

// What a partition serves in a second, and so at most what one key or item gets.
inline constexpr double kPartitionReadUnits = PartitionParameters().read_units;
inline constexpr double kPartitionWriteUnits = PartitionParameters().write_units;

// Returns the read units that a partition serves in a second when `strong_share` of them, from 0 to
// 1, are of reads that are strongly consistent or in transactions. Such reads all go to one of
// three replicas; eventually consistent ones go to all three, each read at half a unit. So the
// share 1 gives 3,000 units, 0 gives 4,500, and the greatest number, 6,000, is at 1/2.
double PartitionReadUnitsOf(double strong_share);

// Returns whether the resource is a local index.
bool IsLocalIndex(const Measurement& measurement, const ResourceMeasure& resource);

// Returns the resource, which is no local index, with the counts of its partition keys
// (`read_keys`, `written_keys`, `hot_windows`) increased by those of its local indexes, if it is a
// table that has some. Of a window whose hottest keys differ, the hotter one stays. Of the other
// members the names, the units, `read_items` and `written_items` are copied, and no others.
ResourceMeasure WithLocalIndexes(const Measurement& measurement, const ResourceMeasure& resource);

}  // namespace hashrange
