#include "simulation/partitions/physical_partition.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/portable_math.h"

namespace hashrange {

void DemandAverage::EndSeconds(std::int64_t seconds, double keep) {
  average_ = average_ * keep + current_ * (1 - keep);
  average_ *= PortablePow(keep, static_cast<double>(seconds - 1));
  current_ = 0;
}

double DemandAverage::KeptInASecond(std::int64_t average_ms) {
  return PortableExp(-1000.0 / static_cast<double>(std::max<std::int64_t>(1, average_ms)));
}

namespace {

// Keys are sampled while the heat is at least this share of that at which a partition is cut.
constexpr double kWarmShare = 0.5;
// How many samples are taken of a demand that is all that the partition serves, in the time of the
// average.
constexpr double kSamplesAnAverage = static_cast<double>(KeySamples::kMaxSamples);

std::size_t IndexOf(Direction direction) { return static_cast<std::size_t>(direction); }

}  // namespace

PhysicalPartition::PhysicalPartition(const PartitionParameters& parameters, PartitionOrigin origin,
                                     PartitionBegin begin)
    : parameters_(&parameters),
      origin_(origin),
      begin_(std::move(begin)),
      replicas_{TokenBucket(parameters.read_units, parameters.burst_ms, origin.began_ms),
                TokenBucket(parameters.read_units, parameters.burst_ms, origin.began_ms),
                TokenBucket(parameters.read_units, parameters.burst_ms, origin.began_ms)},
      writes_(parameters.write_units, parameters.burst_ms, origin.began_ms) {}

PhysicalPartition::PhysicalPartition(const PhysicalPartition& parent, PartitionOrigin origin,
                                     PartitionBegin begin)
    : parameters_(parent.parameters_),
      origin_(origin),
      begin_(std::move(begin)),
      replicas_(parent.replicas_),
      writes_(parent.writes_) {
  write_demand_.Set(parent.write_demand_.units_per_second() / 2);
  leader_demand_.Set(parent.leader_demand_.units_per_second() / 2);
  replica_demand_.Set(parent.replica_demand_.units_per_second() / 2);
}

bool PhysicalPartition::BeginsAtOrBefore(const Position& position) const {
  if (begin_.hash != position.hash) return begin_.hash < position.hash;
  return std::string_view(begin_.key) <= position.bytes;
}

std::size_t PhysicalPartition::FreestReplica(std::int64_t now_ms) {
  const auto freest = std::ranges::max_element(
      replicas_, {}, [&](TokenBucket& each) { return each.UnitsLeft(now_ms); });
  return static_cast<std::size_t>(freest - replicas_.begin());
}

TokenBucket& PhysicalPartition::BucketFor(Draw draw, std::int64_t now_ms) {
  if (draw.direction == Direction::kWrite) return writes_;
  return replicas_[draw.is_strong ? 0 : FreestReplica(now_ms)];
}

bool PhysicalPartition::IsOpen(Draw draw, std::int64_t now_ms) {
  return BucketFor(draw, now_ms).IsOpen(now_ms);
}

void PhysicalPartition::Take(Draw draw, double units, std::int64_t now_ms) {
  BucketFor(draw, now_ms).Take(WorkOf(draw, units), now_ms);
}

void PhysicalPartition::TakeInAdvance(Draw draw, double units, std::int64_t now_ms) {
  if (draw.direction == Direction::kWrite || draw.is_strong) return Take(draw, units, now_ms);
  const auto most_taken = std::ranges::max_element(in_advance_);
  const std::size_t replica = units < 0 ? static_cast<std::size_t>(most_taken - in_advance_.begin())
                                        : FreestReplica(now_ms);
  // What was taken before a cut goes back to one of the two parts.
  in_advance_[replica] = std::max(0.0, in_advance_[replica] + WorkOf(draw, units));
  replicas_[replica].Take(WorkOf(draw, units), now_ms);
}

void PhysicalPartition::AddDemand(Draw draw, double units) {
  const double work = WorkOf(draw, units);
  if (draw.direction == Direction::kWrite) return write_demand_.Add(work);
  replica_demand_.Add(work);
  if (draw.is_strong) leader_demand_.Add(work);
}

void PhysicalPartition::AddSample(const KeySchema& key, Draw draw, const PositionSpan& span,
                                  double units, std::uint64_t seed) {
  const Direction direction = draw.direction;
  HeatWatch& watch = watches_[IndexOf(direction)];
  if (!watch.samples) {
    if (HeatOf(direction) < kWarmShare * parameters_->split_heat) return;
    const double served = static_cast<double>(
        direction == Direction::kWrite ? parameters_->write_units : parameters_->read_units);
    const double seconds = static_cast<double>(parameters_->average_ms) / 1000;
    watch.samples = std::make_unique<KeySamples>(served * seconds / kSamplesAnAverage, seed);
  }
  watch.samples->Add(key, span, draw.is_range, units);
}

const KeySamples* PhysicalPartition::samples(Direction direction) const {
  return watches_[IndexOf(direction)].samples.get();
}

void PhysicalPartition::EndSamples() {
  for (HeatWatch& watch : watches_) watch.samples.reset();
}

double PhysicalPartition::HeatOf(Direction direction) const {
  if (direction == Direction::kWrite) {
    return write_demand_.units_per_second() / static_cast<double>(parameters_->write_units);
  }
  const double served = static_cast<double>(parameters_->read_units);
  return std::max(leader_demand_.units_per_second() / served,
                  replica_demand_.units_per_second() / (served * kReplicas));
}

void PhysicalPartition::EndSeconds(std::int64_t seconds, double keep, std::int64_t end_ms) {
  for (DemandAverage* each : {&write_demand_, &leader_demand_, &replica_demand_}) {
    each->EndSeconds(1, keep);
  }
  const double heat[2] = {HeatOf(Direction::kRead), HeatOf(Direction::kWrite)};
  if (seconds > 1) {
    for (DemandAverage* each : {&write_demand_, &leader_demand_, &replica_demand_}) {
      each->EndSeconds(seconds - 1, keep);
    }
  }
  for (const Direction direction : kDirections) {
    WatchHeat(watches_[IndexOf(direction)], heat[IndexOf(direction)], HeatOf(direction), seconds,
              keep, end_ms);
  }
}

// `heat_at_first` is that at the end of the first of the seconds, `heat` that at the end of the
// last. Between the two the heat only falls.
void PhysicalPartition::WatchHeat(HeatWatch& watch, double heat_at_first, double heat,
                                  std::int64_t seconds, double keep, std::int64_t end_ms) {
  const double least = parameters_->split_heat;
  const std::int64_t first_ms = end_ms - (seconds - 1) * 1000;
  // A time that was over before begins anew.
  if (watch.hot_until_ms != 0) watch.ready_ms = watch.hot_until_ms = 0;
  if (heat_at_first <= least) {
    watch.hot_since_ms = watch.ready_ms = 0;
  } else {
    if (watch.hot_since_ms == 0) watch.hot_since_ms = first_ms;
    double hot_seconds = static_cast<double>(seconds - 1);
    if (heat <= least) {
      hot_seconds = std::min(hot_seconds, PortableLog(heat_at_first / least) / -PortableLog(keep));
    }
    const std::int64_t hot_until_ms = first_ms + static_cast<std::int64_t>(hot_seconds * 1000);
    const std::int64_t ready_ms = watch.hot_since_ms + parameters_->split_after_ms;
    if (watch.ready_ms == 0 && ready_ms <= hot_until_ms) watch.ready_ms = ready_ms;
    if (heat <= least) {
      watch.hot_since_ms = 0;
      watch.hot_until_ms = hot_until_ms;
    }
  }
  const bool is_to_be_cut = is_cut_planned || watch.ready_ms != 0;
  const bool is_warm = heat >= kWarmShare * least / 2 || is_to_be_cut;
  if (!is_warm) watch.samples.reset();
}

std::int64_t PhysicalPartition::ReadyMs(Direction direction, std::int64_t earliest_ms) const {
  const HeatWatch& watch = watches_[IndexOf(direction)];
  if (watch.ready_ms == 0) return 0;
  const std::int64_t ready_ms = std::max(watch.ready_ms, earliest_ms);
  return watch.hot_until_ms != 0 && watch.hot_until_ms < ready_ms ? 0 : ready_ms;
}

void PhysicalPartition::RestartHeat(Direction direction, std::int64_t now_ms) {
  HeatWatch& watch = watches_[IndexOf(direction)];
  watch.ready_ms = watch.hot_until_ms = 0;
  watch.hot_since_ms = HeatOf(direction) > parameters_->split_heat ? now_ms : 0;
}

}  // namespace hashrange
