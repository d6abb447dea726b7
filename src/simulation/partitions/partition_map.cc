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

// What is counted of a partition in a slice.
constexpr double PartitionHeat::*kCounts[] = {
    &PartitionHeat::read_units,      &PartitionHeat::write_units,
    &PartitionHeat::read_demand,     &PartitionHeat::write_demand,
    &PartitionHeat::throttled_reads, &PartitionHeat::throttled_writes};

void Add(const PartitionHeat& heat, PartitionHeat* sum) {
  for (const auto count : kCounts) sum->*count += heat.*count;
}

// Returns what is left of a sum. What is left of many additions of fractions is rounded to
// millionths of a unit.
double Left(double now, double earlier) {
  return earlier == 0 ? now : std::max(0.0, std::round((now - earlier) * 1e6) / 1e6);
}

void Subtract(const PartitionHeat& earlier, PartitionHeat* heat) {
  for (const auto count : kCounts) heat->*count = Left(heat->*count, earlier.*count);
}

bool IsNothing(const PartitionHeat& heat) {
  return std::ranges::all_of(kCounts, [&](const auto count) { return heat.*count == 0; });
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
