#include "simulation/partitions/physical_partitions.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/stable_sort.h"
#include "simulation/partitions/cut_decision.h"
#include "value/key.h"

namespace hashrange {
namespace {

bool IsBefore(const PartitionBegin& a, const PartitionBegin& b) {
  return a.hash != b.hash ? a.hash < b.hash : a.key < b.key;
}

std::string HashText(std::uint64_t hash) {
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

// Returns the work of the busiest replica: the leader serves strongly consistent reads, and all
// replicas share the rest.
double ReadDemandOf(const HeatSlot& slot) {
  return std::max(slot.leader_work, slot.read_work / static_cast<double>(kReplicas));
}

}  // namespace

PhysicalPartitions::PhysicalPartitions(const PartitionParameters& parameters, const KeySchema& key,
                                       std::uint64_t seed, std::int64_t now_ms)
    : parameters_(parameters),
      key_(key),
      random_(seed),
      keep_(DemandAverage::KeptInASecond(parameters.average_ms)),
      now_ms_(now_ms),
      second_(now_ms / 1000),
      slices_(now_ms) {}

void PhysicalPartitions::GrowTo(std::size_t count, std::string_view cause) {
  count = std::min(count, kMaxPartitions / 2);
  if (partitions_.empty()) {
    count = std::max<std::size_t>(1, count);
    // All hashes divided by `count`; of one partition it is not used.
    const std::uint64_t width = UINT64_MAX / count + (UINT64_MAX % count + 1) / count;
    for (std::uint64_t i = 0; i < count; ++i) {
      const PartitionOrigin origin{next_number_++, 0, "beginning", now_ms_};
      partitions_.push_back(
          std::make_unique<PhysicalPartition>(parameters_, origin, PartitionBegin{i * width, {}}));
    }
    return;
  }
  while (partitions_.size() < count && CutWidest(cause)) {
  }
}

void PhysicalPartitions::Advance(std::int64_t now_ms) {
  if (now_ms <= now_ms_) return;
  const std::int64_t second = now_ms / 1000;
  if (second > second_) {
    for (const auto& partition : partitions_) {
      partition->EndSeconds(second - second_, keep_, second * 1000);
    }
    second_ = second;
    if (!planned_.partition) PlanCut(latest_cut_ms_);
    while (planned_.partition && planned_.due_ms <= now_ms) {
      MakePlannedCut();
      PlanCut(latest_cut_ms_);
    }
  }
  now_ms_ = now_ms;
  for (int merges = slices_.MergesUntil(now_ms); merges > 0; --merges) {
    slices_.Merge();
    for (const auto& partition : partitions_) partition->history.Merge();
    for (const Ended& each : ended_) each.partition->history.Merge();
  }
}

std::size_t PhysicalPartitions::IndexOf(const Position& position) const {
  const auto above = std::ranges::partition_point(
      partitions_, [&](const auto& each) { return each->BeginsAtOrBefore(position); });
  // The first partition begins at the first position.
  return static_cast<std::size_t>(above - partitions_.begin()) - 1;
}

bool PhysicalPartitions::IsCut(std::uint64_t hash) const {
  const std::size_t next = IndexOf({hash, {}}) + 1;
  return next < partitions_.size() && partitions_[next]->begin().hash == hash;
}

bool PhysicalPartitions::IsOpen(Draw draw, const Position& position) {
  return PartitionOf(position).IsOpen(draw, now_ms_);
}

Position PhysicalPartitions::FirstOf(std::size_t i) const {
  return {partitions_[i]->begin().hash, partitions_[i]->begin().key};
}

HeatSlot& PhysicalPartitions::AddDemand(PhysicalPartition& partition, Draw draw,
                                        const PositionSpan& span, double units) {
  partition.AddDemand(draw, units);
  partition.AddSample(key_, draw, span, units, random_.Next());
  HeatSlot& slot = partition.history.SlotOf(slices_.SliceOf(now_ms_));
  slot.AddDemand(draw, units);
  return slot;
}

void PhysicalPartitions::Take(Draw draw, const PositionSpan& span, double units) {
  const std::size_t first = IndexOf(span.first);
  const std::size_t last = span.first == span.last ? first : IndexOf(span.last);
  if (last <= first) return Serve(*partitions_[first], draw, span, units);
  const bool is_collection = span.first.hash == span.last.hash;
  const double all = static_cast<double>(span.last.hash - span.first.hash);
  for (std::size_t i = first; i <= last; ++i) {
    const std::uint64_t begin = i == first ? span.first.hash : partitions_[i]->begin().hash;
    const std::uint64_t end = i == last ? span.last.hash : partitions_[i + 1]->begin().hash;
    const double share = is_collection ? 1 / static_cast<double>(last - first + 1)
                                       : static_cast<double>(end - begin) / all;
    const PositionSpan part{i == first ? span.first : FirstOf(i),
                            i == last ? span.last : FirstOf(i + 1)};
    Serve(*partitions_[i], draw, part, units * share);
  }
}

void PhysicalPartitions::Serve(PhysicalPartition& partition, Draw draw, const PositionSpan& span,
                               double units) {
  partition.Take(draw, units, now_ms_);
  AddDemand(partition, draw, span, units).units[static_cast<std::size_t>(draw.direction)] += units;
  if (draw.direction == Direction::kWrite) WatchDebt(partition);
}

void PhysicalPartitions::TakeInAdvance(Draw draw, const Position& position, double units) {
  PhysicalPartition& partition = PartitionOf(position);
  partition.TakeInAdvance(draw, units, now_ms_);
  if (draw.direction == Direction::kWrite) WatchDebt(partition);
}

void PhysicalPartitions::AddRefused(Draw draw, const Position& position, double units) {
  PhysicalPartition& partition = PartitionOf(position);
  HeatSlot& slot = AddDemand(partition, draw, {position, position}, units);
  slot.throttled[static_cast<std::size_t>(draw.direction)] += 1;
}

void PhysicalPartitions::WatchDebt(PhysicalPartition& partition) {
  if (partition.is_in_debt || partition.IsOpen({Direction::kWrite}, now_ms_)) return;
  partition.is_in_debt = true;
  debtors_.push_back(&partition);
}

bool PhysicalPartitions::HasClosedForWrites() {
  std::erase_if(debtors_, [&](PhysicalPartition* each) {
    each->is_in_debt = !each->IsOpen({Direction::kWrite}, now_ms_);
    return !each->is_in_debt;
  });
  return !debtors_.empty();
}

// Plans to cut the hottest of the partitions that are due.
void PhysicalPartitions::PlanCut(std::int64_t earliest_ms) {
  double hottest = -1;
  std::int64_t begin_ms = 0;
  for (const auto& partition : partitions_) {
    for (const Direction direction : kDirections) {
      const std::int64_t ready_ms = partition->ReadyMs(direction, earliest_ms);
      const double heat = partition->HeatOf(direction);
      if (ready_ms == 0 || heat <= hottest) continue;
      hottest = heat;
      planned_ = {partition.get(), direction, 0};
      begin_ms = ready_ms;
    }
  }
  if (!planned_.partition) return;
  planned_.partition->is_cut_planned = true;
  const std::int64_t least = parameters_.least_split_delay_ms;
  const std::int64_t range = std::max<std::int64_t>(0, parameters_.greatest_split_delay_ms - least);
  planned_.due_ms =
      begin_ms + least +
      static_cast<std::int64_t>(random_.Next() % static_cast<std::uint64_t>(range + 1));
}

void PhysicalPartitions::MakePlannedCut() {
  const PlannedCut planned = std::exchange(planned_, {});
  PhysicalPartition& partition = *planned.partition;
  latest_cut_ms_ = planned.due_ms;
  partition.is_cut_planned = false;
  if (const KeySamples* const samples = partition.samples(planned.direction)) {
    CutDecision decision =
        DecideCut(samples->InOrderOfTime(), {.has_sort_key = !key_.range.empty(),
                                             .has_local_index = has_local_index_,
                                             .one_item_share = parameters_.one_item_share});
    PartitionBegin upper{decision.hash, std::move(decision.key)};
    const std::size_t i = static_cast<std::size_t>(
        std::ranges::find(partitions_, &partition, &std::unique_ptr<PhysicalPartition>::get) -
        partitions_.begin());
    const bool is_cut = decision.uncut.empty() && IsInside(i, upper);
    if (is_cut && HasRoom()) return CutAt(i, std::move(upper), "heat", planned.due_ms);
    partition.uncut = is_cut ? "limit" : decision.uncut;
  }
  partition.RestartHeat(planned.direction, planned.due_ms);
}

bool PhysicalPartitions::IsInside(std::size_t i, const PartitionBegin& position) const {
  if (!IsBefore(partitions_[i]->begin(), position)) return false;
  return i + 1 == partitions_.size() || IsBefore(position, partitions_[i + 1]->begin());
}

void PhysicalPartitions::CutAt(std::size_t i, PartitionBegin upper, std::string_view cause,
                               std::int64_t at_ms) {
  PhysicalPartition& parent = *partitions_[i];
  const std::int64_t number = parent.origin().number;
  auto make = [&](PartitionBegin begin) {
    auto part = std::make_unique<PhysicalPartition>(
        parent, PartitionOrigin{next_number_++, number, cause, at_ms}, std::move(begin));
    for (const Direction direction : kDirections) part->RestartHeat(direction, at_ms);
    WatchDebt(*part);
    return part;
  };
  std::optional<PartitionBegin> end;
  if (i + 1 < partitions_.size()) end = partitions_[i + 1]->begin();
  std::unique_ptr<PhysicalPartition> low = make(parent.begin());
  std::unique_ptr<PhysicalPartition> high = make(std::move(upper));
  parent.ended_ms = at_ms;
  parent.EndSamples();
  std::erase(debtors_, &parent);
  if (planned_.partition == &parent) planned_ = {};
  ended_.push_back({std::exchange(partitions_[i], std::move(low)), std::move(end)});
  partitions_.insert(partitions_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(high));
}

std::uint64_t PhysicalPartitions::WidthOf(std::size_t i) const {
  const std::uint64_t end =
      i + 1 == partitions_.size() ? UINT64_MAX : partitions_[i + 1]->begin().hash;
  return end - partitions_[i]->begin().hash;
}

bool PhysicalPartitions::CutWidest(std::string_view cause) {
  if (!HasRoom()) return false;
  std::size_t widest = 0;
  for (std::size_t i = 1; i < partitions_.size(); ++i) {
    if (WidthOf(i) > WidthOf(widest)) widest = i;
  }
  const std::uint64_t width = WidthOf(widest);
  if (width < 2) return false;
  CutAt(widest, {partitions_[widest]->begin().hash + width / 2 + width % 2, {}}, cause, now_ms_);
  return true;
}

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
  StableSort(map->partitions, {}, &PartitionMeasure::number);
  StableSort(all, {}, [](const PhysicalPartition* each) { return each->origin().number; });
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
