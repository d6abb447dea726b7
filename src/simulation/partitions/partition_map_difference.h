// What happened in a model of partitions after a moment at which its map was kept. Pure functions;
// any thread.
#pragma once

#include "simulation/partitions/partition_map.h"

namespace hashrange {

// Returns `now` without the counts of `earlier`, which is an earlier map of the same table or
// index. Slices in which nothing is left are dropped, and so are partitions that had ended by then,
// if nothing of them is left. If another model has begun since then, `now` is returned as it is.
//
// The slices of both maps are counted from the begin of the model, as the clock may have been set
// back since then. A slice of `now` is one of `earlier`, or 2, 4, 8… of them that follow each
// other.
PartitionMap WithoutEarlier(PartitionMap now, const PartitionMap& earlier);

}  // namespace hashrange
