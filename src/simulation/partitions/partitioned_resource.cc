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
std::int64_t UnitsWithoutTraffic(const ResourceSettings& settings, std::size_t direction,
                                 std::int64_t of_new) {
  return std::max({of_new, settings.warm[direction], settings.provisioned[direction]});
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
      growth_{ThroughputGrowth(UnitsWithoutTraffic(settings, 0, parameters.new_read_units),
                               parameters.growth_after_ms, now_ms),
              ThroughputGrowth(UnitsWithoutTraffic(settings, 1, parameters.new_write_units),
                               parameters.growth_after_ms, now_ms)},
      grown_{TokenBucket(growth_[0].UnitsPerSecond(now_ms), parameters.burst_ms, now_ms),
             TokenBucket(growth_[1].UnitsPerSecond(now_ms), parameters.burst_ms, now_ms)},
      quota_{TokenBucket(parameters.quota_read_units, parameters.burst_ms, now_ms),
             TokenBucket(parameters.quota_write_units, parameters.burst_ms, now_ms)},
      set_(parameters_, key, seed, now_ms) {
  set_.SetLocalIndex(settings.has_local_index);
  Grow();
}

void PartitionedResource::SetSettings(const ResourceSettings& settings) {
  const bool becomes_on_demand = settings.on_demand && !settings_.on_demand;
  settings_ = settings;
  set_.SetLocalIndex(settings.has_local_index);
  for (const Direction direction : kDirections) {
    growth_[Of(direction)].Raise(UnitsWithoutTraffic(settings, Of(direction), 0));
  }
  if (becomes_on_demand) BeginOnDemand();
  Grow();
}

// What it took while it was provisioned is no debt now.
void PartitionedResource::BeginOnDemand() {
  for (const Direction direction : kDirections) {
    const bool is_read = direction == Direction::kRead;
    grown_[Of(direction)] =
        TokenBucket(growth_[Of(direction)].UnitsPerSecond(now_ms_), parameters_.burst_ms, now_ms_);
    quota_[Of(direction)] =
        TokenBucket(is_read ? parameters_.quota_read_units : parameters_.quota_write_units,
                    parameters_.burst_ms, now_ms_);
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
  for (const Direction direction : kDirections) {
    const std::int64_t units = growth_[Of(direction)].UnitsPerSecond(now_ms_);
    if (units <= grown_[Of(direction)].units_per_second()) continue;
    grown_[Of(direction)].SetRate(units, now_ms_, now_ms_);
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
    count = std::max(RoundUp(growth_[0].UnitsPerSecond(now_ms_), read),
                     RoundUp(growth_[1].UnitsPerSecond(now_ms_), write));
  }
  for (const Direction direction : kDirections) {
    const std::int64_t served = direction == Direction::kRead ? read : write;
    count = std::max(count, RoundUp(settings_.warm[Of(direction)], served));
  }
  const std::int64_t for_size = RoundUp(settings_.size_bytes, parameters_.size_bytes);
  if (set_.size() == 0) count = std::max({std::int64_t{1}, count, for_size});
  set_.GrowTo(static_cast<std::size_t>(count), "throughput");
  set_.GrowTo(static_cast<std::size_t>(for_size), "size");
}

std::optional<ThrottlingLimit> PartitionedResource::FindLimit(Draw draw, const Position& position) {
  const std::size_t direction = Of(draw.direction);
  if (settings_.on_demand) {
    if (!quota_[direction].IsOpen(now_ms_)) return ThrottlingLimit::kAccount;
    if (!grown_[direction].IsOpen(now_ms_)) return ThrottlingLimit::kKeyRange;
  }
  if (!set_.IsOpen(draw, position)) return ThrottlingLimit::kKeyRange;
  return std::nullopt;
}

void PartitionedResource::Take(Draw draw, const PositionSpan& span, double units) {
  if (units == 0) return;
  const std::size_t direction = Of(draw.direction);
  if (settings_.on_demand) {
    quota_[direction].Take(units, now_ms_);
    grown_[direction].Take(units, now_ms_);
  }
  growth_[direction].Add(units, now_ms_);
  set_.Take(draw, span, units);
}

void PartitionedResource::TakeInAdvance(Draw draw, const Position& position, double units) {
  const std::size_t direction = Of(draw.direction);
  if (settings_.on_demand) {
    quota_[direction].Take(units, now_ms_);
    grown_[direction].Take(units, now_ms_);
  }
  set_.TakeInAdvance(draw, position, units);
}

void PartitionedResource::AddRefused(Draw draw, const Position& position, double units,
                                     ThrottlingLimit limit) {
  ++refused_[Of(draw.direction)][static_cast<std::size_t>(limit)];
  if (limit == ThrottlingLimit::kKeyRange) set_.AddRefused(draw, position, units);
}

bool PartitionedResource::HasLimitForWrites() {
  const std::size_t writes = Of(Direction::kWrite);
  if (settings_.on_demand && !quota_[writes].IsOpen(now_ms_)) return true;
  if (settings_.on_demand && !grown_[writes].IsOpen(now_ms_)) return true;
  return set_.HasClosedForWrites();
}

std::int64_t PartitionedResource::refused(Direction direction, ThrottlingLimit limit) const {
  return refused_[Of(direction)][static_cast<std::size_t>(limit)];
}

PartitionMap PartitionedResource::Map() const {
  PartitionMap map;
  map.began_epoch_ms = began_ms_;
  map.partition_read_units = static_cast<double>(parameters_.read_units);
  map.partition_write_units = static_cast<double>(parameters_.write_units);
  if (settings_.on_demand) {
    map.read_limit =
        static_cast<double>(std::min(grown_[0].units_per_second(), parameters_.quota_read_units));
    map.write_limit =
        static_cast<double>(std::min(grown_[1].units_per_second(), parameters_.quota_write_units));
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
