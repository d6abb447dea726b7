#include "simulation/partitions/partitioned_resource.h"

#include <algorithm>
#include <cmath>

namespace hashrange {

void ThroughputGrowth::Add(double units, std::int64_t now_ms) {
  EndMinute(now_ms);
  units_ += units;
}

std::int64_t ThroughputGrowth::UnitsPerSecond(std::int64_t now_ms) {
  EndMinute(now_ms);
  while (!growth_.empty() && growth_.front().due_ms <= now_ms) {
    Raise(growth_.front().units_per_second);
    growth_.pop_front();
  }
  return allowed_;
}

void ThroughputGrowth::Raise(std::int64_t units_per_second) {
  allowed_ = std::max(allowed_, units_per_second);
}

void ThroughputGrowth::EndMinute(std::int64_t now_ms) {
  if (now_ms < minute_end_ms_) return;
  const auto twice = static_cast<std::int64_t>(2 * units_ / 60);
  const std::int64_t latest = growth_.empty() ? allowed_ : growth_.back().units_per_second;
  if (twice > latest) growth_.push_back({minute_end_ms_ + growth_after_ms_, twice});
  minute_end_ms_ = (now_ms / kMinuteMs + 1) * kMinuteMs;
  units_ = 0;
}

namespace {

std::int64_t RoundUp(std::int64_t units, std::int64_t part) {
  return units / part + (units % part != 0 ? 1 : 0);
}

// Returns how many partitions serve both directions of a provisioned table, or a number above
// kMaxPartitions. Doubles, because the products may be too large for integers; they are exact for
// the throughput that a table can have.
std::int64_t PartitionsForBoth(const std::array<std::int64_t, 2>& provisioned,
                               const PartitionParameters& parameters) {
  const auto read = static_cast<double>(parameters.read_units);
  const auto write = static_cast<double>(parameters.write_units);
  const double needed =
      (static_cast<double>(provisioned[0]) * write + static_cast<double>(provisioned[1]) * read) /
      (read * write);
  const double most = static_cast<double>(PhysicalPartitions::kMaxPartitions);
  return static_cast<std::int64_t>(std::ceil(std::min(needed, most)));
}

// What an on-demand table or index serves without any traffic. One that was provisioned before
// serves at least what it provisioned.
std::int64_t UnitsWithoutTraffic(const ResourceSettings& settings, Direction direction,
                                 std::int64_t of_new) {
  const auto at = static_cast<std::size_t>(direction);
  return std::max({of_new, settings.warm[at], settings.provisioned[at]});
}

}  // namespace

PartitionedResource::PartitionedResource(const PartitionParameters& parameters,
                                         const KeySchema& key, std::uint64_t seed,
                                         const ResourceSettings& settings, std::int64_t now_ms)
    : parameters_(parameters),
      began_ms_(now_ms),
      settings_(settings),
      clock_ms_(now_ms),
      now_ms_(now_ms),
      sides_{NewSide(Direction::kRead), NewSide(Direction::kWrite)},
      set_(parameters_, key, seed, now_ms) {
  set_.SetLocalIndex(settings.has_local_index);
  Grow();
}

PartitionedResource::Side PartitionedResource::NewSide(Direction direction) const {
  const bool is_read = direction == Direction::kRead;
  const std::int64_t of_new = is_read ? parameters_.new_read_units : parameters_.new_write_units;
  const std::int64_t units = UnitsWithoutTraffic(settings_, direction, of_new);
  return {.growth = ThroughputGrowth(units, parameters_.growth_after_ms, now_ms_),
          .grown = TokenBucket(units, parameters_.burst_ms, now_ms_),
          .quota = TokenBucket(QuotaOf(direction), parameters_.burst_ms, now_ms_)};
}

std::int64_t PartitionedResource::QuotaOf(Direction direction) const {
  return direction == Direction::kRead ? parameters_.quota_read_units
                                       : parameters_.quota_write_units;
}

void PartitionedResource::SetSettings(const ResourceSettings& settings) {
  const bool becomes_on_demand = settings.on_demand && !settings_.on_demand;
  settings_ = settings;
  set_.SetLocalIndex(settings.has_local_index);
  for (const Direction direction : kDirections) {
    SideOf(direction).growth.Raise(UnitsWithoutTraffic(settings, direction, 0));
  }
  if (becomes_on_demand) BeginOnDemand();
  Grow();
}

// What it took while it was provisioned is no debt now.
void PartitionedResource::BeginOnDemand() {
  for (const Direction direction : kDirections) {
    Side& side = SideOf(direction);
    side.grown = TokenBucket(side.growth.UnitsPerSecond(now_ms_), parameters_.burst_ms, now_ms_);
    side.quota = TokenBucket(QuotaOf(direction), parameters_.burst_ms, now_ms_);
  }
}

void PartitionedResource::Advance(std::int64_t now_ms) {
  const bool passes_again = now_ms <= clock_ms_ && clock_ms_ - now_ms <= TokenBucket::kTableBurstMs;
  if (passes_again) return;
  now_ms_ += std::max<std::int64_t>(0, now_ms - clock_ms_);
  clock_ms_ = now_ms;
  set_.Advance(now_ms_);
  if (!settings_.on_demand) return;
  bool has_grown = false;
  for (Side& side : sides_) {
    const std::int64_t units = side.growth.UnitsPerSecond(now_ms_);
    if (units <= side.grown.units_per_second()) continue;
    side.grown.SetRate(units, now_ms_, now_ms_);
    has_grown = true;
  }
  if (has_grown) Grow();
}

// The number of partitions that the throughput needs (docs/service/21-layout-lab.md, section 4): of
// a provisioned table the sum of both directions, of one on demand the greater.
void PartitionedResource::Grow() {
  const std::int64_t read = parameters_.read_units;
  const std::int64_t write = parameters_.write_units;
  std::int64_t count = PartitionsForBoth(settings_.provisioned, parameters_);
  if (settings_.on_demand) {
    count = std::max(RoundUp(sides_[0].growth.UnitsPerSecond(now_ms_), read),
                     RoundUp(sides_[1].growth.UnitsPerSecond(now_ms_), write));
  }
  count = std::max({count, RoundUp(settings_.warm[0], read), RoundUp(settings_.warm[1], write)});
  const std::int64_t for_size = RoundUp(settings_.size_bytes, parameters_.size_bytes);
  if (set_.size() == 0) count = std::max({std::int64_t{1}, count, for_size});
  set_.GrowTo(static_cast<std::size_t>(count), "throughput");
  set_.GrowTo(static_cast<std::size_t>(for_size), "size");
}

std::optional<ThrottlingLimit> PartitionedResource::LimitOfAll(Direction direction) {
  if (!settings_.on_demand) return std::nullopt;
  Side& side = SideOf(direction);
  if (!side.quota.IsOpen(now_ms_)) return ThrottlingLimit::kAccount;
  if (!side.grown.IsOpen(now_ms_)) return ThrottlingLimit::kKeyRange;
  return std::nullopt;
}

std::optional<ThrottlingLimit> PartitionedResource::FindLimit(Draw draw, const Position& position) {
  if (const auto limit = LimitOfAll(draw.direction)) return limit;
  if (!set_.IsOpen(draw, position)) return ThrottlingLimit::kKeyRange;
  return std::nullopt;
}

void PartitionedResource::TakeOfAll(Direction direction, double units) {
  if (!settings_.on_demand) return;
  SideOf(direction).quota.Take(units, now_ms_);
  SideOf(direction).grown.Take(units, now_ms_);
}

void PartitionedResource::Take(Draw draw, const PositionSpan& span, double units) {
  if (units == 0) return;
  TakeOfAll(draw.direction, units);
  SideOf(draw.direction).growth.Add(units, now_ms_);
  set_.Take(draw, span, units);
}

void PartitionedResource::TakeInAdvance(Draw draw, const Position& position, double units) {
  TakeOfAll(draw.direction, units);
  set_.TakeInAdvance(draw, position, units);
}

void PartitionedResource::AddRefused(Draw draw, const Position& position, double units,
                                     ThrottlingLimit limit) {
  ++SideOf(draw.direction).refused[static_cast<std::size_t>(limit)];
  if (limit == ThrottlingLimit::kKeyRange) set_.AddRefused(draw, position, units);
}

bool PartitionedResource::HasLimitForWrites() {
  return LimitOfAll(Direction::kWrite) || set_.HasClosedForWrites();
}

std::int64_t PartitionedResource::refused(Direction direction, ThrottlingLimit limit) const {
  return sides_[static_cast<std::size_t>(direction)].refused[static_cast<std::size_t>(limit)];
}

PartitionMap PartitionedResource::Map() const {
  PartitionMap map;
  map.began_epoch_ms = began_ms_;
  map.partition_read_units = static_cast<double>(parameters_.read_units);
  map.partition_write_units = static_cast<double>(parameters_.write_units);
  if (settings_.on_demand) {
    const auto limit_of = [&](Direction direction) {
      const TokenBucket& grown = sides_[static_cast<std::size_t>(direction)].grown;
      return static_cast<double>(std::min(grown.units_per_second(), QuotaOf(direction)));
    };
    map.read_limit = limit_of(Direction::kRead);
    map.write_limit = limit_of(Direction::kWrite);
  }
  set_.Describe(&map);
  const std::int64_t ahead_ms = now_ms_ - clock_ms_;  // since the clock was set back
  map.began_epoch_ms -= ahead_ms;
  for (PartitionMeasure& each : map.partitions) {
    each.began_epoch_ms -= ahead_ms;
    if (each.ended_epoch_ms != 0) each.ended_epoch_ms -= ahead_ms;
  }
  for (PartitionSlice& slice : map.slices) slice.begin_epoch_ms -= ahead_ms;
  return map;
}

}  // namespace hashrange
