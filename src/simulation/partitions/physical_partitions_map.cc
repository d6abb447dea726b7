// What a PhysicalPartitions tells of its partitions.
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "simulation/partitions/physical_partitions.h"
#include "value/key.h"

namespace hashrange {
namespace {

std::string HashText(std::uint64_t hash) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

// The work of the busiest replica: the leader does that of strongly consistent reads, and all share
// the rest.
double ReadDemandOf(const HeatSlot& slot) {
  return std::max(slot.leader_work, slot.read_work / static_cast<double>(kReplicas));
}

}  // namespace

PartitionMeasure PhysicalPartitions::DescribePartition(const PhysicalPartition& partition,
                                                       const PartitionBegin* end) const {
  const PartitionOrigin& origin = partition.origin();
  PartitionMeasure measure{.number = origin.number,
                           .parent = origin.parent,
                           .cause = std::string(origin.cause),
                           .began_epoch_ms = origin.began_ms,
                           .ended_epoch_ms = partition.ended_ms,
                           .first_hash = HashText(partition.begin().hash),
                           .uncut = std::string(partition.uncut)};
  // A partition that ends between two collections ends before the first hash of the next.
  const bool ends_in_collection = end && !end->key.empty();
  measure.last_hash = HashText(!end ? UINT64_MAX : ends_in_collection ? end->hash : end->hash - 1);
  measure.first_key = KeyText(key_, partition.begin().key, KeySamples::kMaxKeyBytes);
  if (end) measure.last_key = KeyText(key_, end->key, KeySamples::kMaxKeyBytes);
  HeatSlot sum;
  for (const HeatSlot& slot : partition.history.slots()) {
    sum.Add(slot);
    measure.read_demand += ReadDemandOf(slot);
  }
  measure.read_units = sum.units[0];
  measure.write_units = sum.units[1];
  measure.write_demand = sum.write_work;
  measure.throttled_reads = static_cast<std::int64_t>(sum.throttled[0]);
  measure.throttled_writes = static_cast<std::int64_t>(sum.throttled[1]);
  if (partition.ended_ms == 0) {
    measure.read_heat = partition.HeatOf(Direction::kRead);
    measure.write_heat = partition.HeatOf(Direction::kWrite);
  }
  return measure;
}

void PhysicalPartitions::Describe(PartitionMap* map) const {
  std::vector<const PhysicalPartition*> all;
  std::size_t last_slice = 0;
  const auto add = [&](const PhysicalPartition& partition, const PartitionBegin* end) {
    all.push_back(&partition);
    last_slice = std::max(last_slice, partition.history.slots().size());
    map->partitions.push_back(DescribePartition(partition, end));
  };
  for (const Ended& each : ended_) add(*each.partition, each.end ? &*each.end : nullptr);
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    const bool is_last = i + 1 == partitions_.size();
    add(*partitions_[i], is_last ? nullptr : &partitions_[i + 1]->begin());
  }
  std::ranges::sort(map->partitions, {}, &PartitionMeasure::number);
  std::ranges::sort(all, {}, [](const PhysicalPartition* each) { return each->origin().number; });
  map->slice_ms = slices_.slice_ms();
  for (std::size_t slice = 0; slice < last_slice; ++slice) {
    PartitionSlice happened{.begin_epoch_ms = slices_.BeginOf(slice), .partitions = {}};
    for (const PhysicalPartition* each : all) {
      const std::vector<HeatSlot>& slots = each->history.slots();
      if (slice >= slots.size() || slots[slice].empty()) continue;
      const HeatSlot& slot = slots[slice];
      happened.partitions.push_back({.number = each->origin().number,
                                     .read_units = slot.units[0],
                                     .write_units = slot.units[1],
                                     .read_demand = ReadDemandOf(slot),
                                     .write_demand = slot.write_work,
                                     .throttled_reads = slot.throttled[0],
                                     .throttled_writes = slot.throttled[1]});
    }
    if (!happened.partitions.empty()) map->slices.push_back(std::move(happened));
  }
}

}  // namespace hashrange
