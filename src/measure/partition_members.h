// The members of a PartitionMap and of its parts, as measurement_members.h has those of a
// Measurement.
#pragma once

#include "simulation/partitions/partition_map.h"

namespace hashrange {

template <typename Visit>
void VisitMembers(Visit& visit, PartitionMeasure& partition) {
  visit("number", partition.number);
  visit("parent", partition.parent);
  visit("cause", partition.cause);
  visit("began_epoch_ms", partition.began_epoch_ms);
  visit("ended_epoch_ms", partition.ended_epoch_ms);
  visit("first_hash", partition.first_hash);
  visit("last_hash", partition.last_hash);
  visit("first_key", partition.first_key);
  visit("last_key", partition.last_key);
  visit("read_units", partition.read_units);
  visit("write_units", partition.write_units);
  visit("read_demand", partition.read_demand);
  visit("write_demand", partition.write_demand);
  visit("throttled_reads", partition.throttled_reads);
  visit("throttled_writes", partition.throttled_writes);
  visit("read_heat", partition.read_heat);
  visit("write_heat", partition.write_heat);
  visit("uncut", partition.uncut);
}

template <typename Visit>
void VisitMembers(Visit& visit, PartitionHeat& heat) {
  visit("number", heat.number);
  visit("read_units", heat.read_units);
  visit("write_units", heat.write_units);
  visit("read_demand", heat.read_demand);
  visit("write_demand", heat.write_demand);
  visit("throttled_reads", heat.throttled_reads);
  visit("throttled_writes", heat.throttled_writes);
}

template <typename Visit>
void VisitMembers(Visit& visit, PartitionSlice& slice) {
  visit("begin_epoch_ms", slice.begin_epoch_ms);
  visit("partitions", slice.partitions);
}

template <typename Visit>
void VisitMembers(Visit& visit, ThrottleCount& throttle) {
  visit("reason", throttle.reason);
  visit("count", throttle.count);
}

template <typename Visit>
void VisitMembers(Visit& visit, PartitionMap& map) {
  visit("table", map.table);
  visit("index", map.index);
  visit("mode", map.mode);
  visit("began_epoch_ms", map.began_epoch_ms);
  visit("read_limit", map.read_limit);
  visit("write_limit", map.write_limit);
  visit("partition_read_units", map.partition_read_units);
  visit("partition_write_units", map.partition_write_units);
  visit("throttles", map.throttles);
  visit("partitions", map.partitions);
  visit("slice_ms", map.slice_ms);
  visit("slices", map.slices);
}

}  // namespace hashrange
