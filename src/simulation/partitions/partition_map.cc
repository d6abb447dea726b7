#include "simulation/partitions/partition_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace hashrange {
namespace {

using PartitionNumber = std::int64_t;
using Heats = std::map<PartitionNumber, PartitionHeat>;

void Add(const PartitionHeat& heat, PartitionHeat* sum) {
  sum->read_units += heat.read_units;
  sum->write_units += heat.write_units;
  sum->read_demand += heat.read_demand;
  sum->write_demand += heat.write_demand;
  sum->throttled_reads += heat.throttled_reads;
  sum->throttled_writes += heat.throttled_writes;
}

// Returns what is left of a sum. What is left of many additions of fractions is rounded to
// millionths of a unit.
double Left(double now, double earlier) {
  return earlier == 0 ? now : std::max(0.0, std::round((now - earlier) * 1e6) / 1e6);
}

void Subtract(const PartitionHeat& earlier, PartitionHeat* heat) {
  heat->read_units = Left(heat->read_units, earlier.read_units);
  heat->write_units = Left(heat->write_units, earlier.write_units);
  heat->read_demand = Left(heat->read_demand, earlier.read_demand);
  heat->write_demand = Left(heat->write_demand, earlier.write_demand);
  heat->throttled_reads = Left(heat->throttled_reads, earlier.throttled_reads);
  heat->throttled_writes = Left(heat->throttled_writes, earlier.throttled_writes);
}

bool IsNothing(const PartitionHeat& heat) {
  return heat.read_units == 0 && heat.write_units == 0 && heat.read_demand == 0 &&
         heat.write_demand == 0 && heat.throttled_reads == 0 && heat.throttled_writes == 0;
}

// Returns the counts of the map by slice, counted in lengths of `slice_ms` from the begin of the
// model, and by partition.
std::map<std::int64_t, Heats> HeatsBySlice(const PartitionMap& map, std::int64_t slice_ms) {
  std::map<std::int64_t, Heats> by_slice;
  for (const PartitionSlice& slice : map.slices) {
    Heats& heats = by_slice[(slice.begin_epoch_ms - map.began_epoch_ms) / slice_ms];
    for (const PartitionHeat& each : slice.partitions) Add(each, &heats[each.number]);
  }
  return by_slice;
}

void SubtractSlices(const PartitionMap& earlier, PartitionMap* now) {
  const std::int64_t slice_ms = std::max<std::int64_t>(1, now->slice_ms);
  const auto earlier_slices = HeatsBySlice(earlier, slice_ms);
  for (PartitionSlice& slice : now->slices) {
    const auto heats = earlier_slices.find((slice.begin_epoch_ms - now->began_epoch_ms) / slice_ms);
    if (heats == earlier_slices.end()) continue;
    for (PartitionHeat& each : slice.partitions) {
      const auto heat = heats->second.find(each.number);
      if (heat != heats->second.end()) Subtract(heat->second, &each);
    }
    std::erase_if(slice.partitions, IsNothing);
  }
  std::erase_if(now->slices, [](const PartitionSlice& slice) { return slice.partitions.empty(); });
}

// Makes the counts of each partition the sums of its slices. Drops the partitions that had ended in
// the earlier map, if nothing of them is left.
void SumPartitions(const PartitionMap& earlier, PartitionMap* now) {
  Heats left;
  for (const PartitionSlice& slice : now->slices) {
    for (const PartitionHeat& each : slice.partitions) Add(each, &left[each.number]);
  }
  std::set<PartitionNumber> ended;
  for (const PartitionMeasure& each : earlier.partitions) {
    if (each.ended_epoch_ms != 0) ended.insert(each.number);
  }
  std::erase_if(now->partitions, [&](const PartitionMeasure& each) {
    return ended.contains(each.number) && !left.contains(each.number);
  });
  for (PartitionMeasure& each : now->partitions) {
    const PartitionHeat& sum = left[each.number];
    each.read_units = sum.read_units;
    each.write_units = sum.write_units;
    each.read_demand = sum.read_demand;
    each.write_demand = sum.write_demand;
    each.throttled_reads = std::llround(sum.throttled_reads);
    each.throttled_writes = std::llround(sum.throttled_writes);
  }
}

void SubtractThrottles(const PartitionMap& earlier, PartitionMap* now) {
  for (const ThrottleCount& before : earlier.throttles) {
    const auto count = std::ranges::find(now->throttles, before.reason, &ThrottleCount::reason);
    if (count != now->throttles.end()) count->count -= before.count;
  }
  std::erase_if(now->throttles, [](const ThrottleCount& each) { return each.count <= 0; });
}

}  // namespace

PartitionMap WithoutEarlier(PartitionMap now, const PartitionMap& earlier) {
  if (now.model != earlier.model) return now;
  SubtractSlices(earlier, &now);
  SumPartitions(earlier, &now);
  SubtractThrottles(earlier, &now);
  return now;
}

}  // namespace hashrange
