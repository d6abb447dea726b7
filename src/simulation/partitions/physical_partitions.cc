#include "simulation/partitions/physical_partitions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "simulation/partitions/cut_decision.h"

namespace hashrange {
namespace {

bool IsBefore(const PartitionBegin& a, const PartitionBegin& b) {
  return a.hash != b.hash ? a.hash < b.hash : a.key < b.key;
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

}  // namespace hashrange
