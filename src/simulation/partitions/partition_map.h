// PartitionMap: how the model cut one table or one global index into partitions, and what each
// partition served and refused, over time. The model makes it
// (simulation/partitions/partitioned_resource.h); a measurement contains it, and its reports draw
// it. Plain data.
//
//   partition   |··········time··········>
//       1       ▁▂▅█┐                        4 was cut from 1 at this moment; 1 ended,
//       4           ├▅▅▄▄▄▄                  and so on: the numbers are in the order of creation
//       5           └▃▃▃▃▃▃
//       2       ▁▁▁▁▁▁▁▁▁▁▁
//
// Units are capacity units (docs/service/08-capacity.md); times are milliseconds since 1970 on the
// server's clock. What depends on a split, or on how an on-demand table grows, is modelled: the
// service does not publish when it does either. Each figure is a row of partition_map.def, which
// says what it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hashrange {

#define HR_PART(part, what) struct part {
#define HR_FIGURE(type, name, what) type name = {};
#define HR_UNWRITTEN(type, name, what) type name = {};
// clang-format off
#define HR_PART_END(part) };
// clang-format on
#include "simulation/partitions/partition_map.def"

// Returns `now` without the counts of `earlier`, which is an earlier map of the same table or
// index. Slices in which nothing is left are dropped, and so are partitions that had ended by then,
// if nothing of them is left. If another model has begun since then, `now` is returned as it is.
//
// The slices of both maps are counted from the begin of the model, as the clock may have been set
// back since then. A slice of `now` is one of `earlier`, or 2, 4, 8… of them that follow each
// other.
PartitionMap WithoutEarlier(PartitionMap now, const PartitionMap& earlier);

}  // namespace hashrange
