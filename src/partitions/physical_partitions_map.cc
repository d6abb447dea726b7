// What a PhysicalPartitions tells of its partitions.
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "partitions/physical_partitions.h"
#include "value/key_text.h"

namespace hashrange {
namespace {

std::string HashText(std::uint64_t hash) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace

PartitionMeasure PhysicalPartitions::DescribePartition(const PhysicalPartition& partition,
                                                       const PartitionBegin* end,
                                                       std::size_t first_slice) const {
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
  const std::vector<HeatSlot>& slots = partition.history.slots();
  for (std::size_t i = first_slice; i < slots.size(); ++i) {
    measure.read_units += slots[i].units[0];
    measure.write_units += slots[i].units[1];
    measure.throttled_reads += static_cast<std::int64_t>(slots[i].throttled[0]);
    measure.throttled_writes += static_cast<std::int64_t>(slots[i].throttled[1]);
  }
  if (partition.ended_ms == 0) {
    measure.read_heat = partition.HeatOf(Direction::kRead);
    measure.write_heat = partition.HeatOf(Direction::kWrite);
  }
  return measure;
}

void PhysicalPartitions::Describe(std::int64_t since_ms, PartitionMap* map) const {
  std::vector<const PhysicalPartition*> all;
  std::size_t last_slice = 0;
  const std::size_t first_slice = slices_.SliceOf(since_ms);
  const auto add = [&](const PhysicalPartition& partition, const PartitionBegin* end) {
    all.push_back(&partition);
    last_slice = std::max(last_slice, partition.history.slots().size());
    map->partitions.push_back(DescribePartition(partition, end, first_slice));
  };
  for (const Ended& each : ended_) {
    if (each.partition->ended_ms > since_ms) add(*each.partition, each.end ? &*each.end : nullptr);
  }
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    const bool is_last = i + 1 == partitions_.size();
    add(*partitions_[i], is_last ? nullptr : &partitions_[i + 1]->begin());
  }
  std::ranges::sort(map->partitions, {}, &PartitionMeasure::number);
  std::ranges::sort(all, {}, [](const PhysicalPartition* each) { return each->origin().number; });
  map->slice_ms = slices_.slice_ms();
  for (std::size_t slice = first_slice; slice < last_slice; ++slice) {
    PartitionSlice happened{.begin_epoch_ms = slices_.BeginOf(slice), .partitions = {}};
    for (const PhysicalPartition* each : all) {
      const std::vector<HeatSlot>& slots = each->history.slots();
      if (slice >= slots.size() || slots[slice].empty()) continue;
      const HeatSlot& slot = slots[slice];
      happened.partitions.push_back({each->origin().number, slot.units[0], slot.units[1],
                                     slot.throttled[0], slot.throttled[1]});
    }
    if (!happened.partitions.empty()) map->slices.push_back(std::move(happened));
  }
}

}  // namespace hashrange
