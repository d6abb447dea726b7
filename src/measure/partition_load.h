// How much of the measured mix the hottest partition of a PartitionMap takes. Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

// A window of time with fewer units of its hottest key, or of a partition, tells nothing about
// rates: a minute in which one call was made would make that call's key as hot as the mix.
inline constexpr double kLeastUnitsOfWindow = 100;

// The members of a map's parts that belong to reads, or to writes.
struct PartitionDirection {
  double PartitionMeasure::*units;
  double PartitionMeasure::*demand;
  double PartitionHeat::*slice_units;
  double PartitionHeat::*slice_demand;
  std::int64_t PartitionMeasure::*throttled;
  double PartitionHeat::*slice_throttled;
};
inline constexpr PartitionDirection kPartitionReads = {
    &PartitionMeasure::read_units,      &PartitionMeasure::read_demand,
    &PartitionHeat::read_units,         &PartitionHeat::read_demand,
    &PartitionMeasure::throttled_reads, &PartitionHeat::throttled_reads};
inline constexpr PartitionDirection kPartitionWrites = {
    &PartitionMeasure::write_units,      &PartitionMeasure::write_demand,
    &PartitionHeat::write_units,         &PartitionHeat::write_demand,
    &PartitionMeasure::throttled_writes, &PartitionHeat::throttled_writes};

// The calls of a measurement that succeeded, over time: made once, for any number of maps. The
// TimeMeasure has to outlive it.
class CallTimes {
 public:
  explicit CallTimes(const TimeMeasure& time);

  std::int64_t bucket_ms() const { return time_.bucket_ms; }
  // Returns the calls that succeeded in the buckets that the time touches. Cost: O(log n) for n
  // buckets.
  double CallsIn(std::int64_t begin_epoch_ms, std::int64_t end_epoch_ms) const;

 private:
  std::size_t BucketsBefore(std::int64_t epoch_ms) const;

  const TimeMeasure& time_;
  std::vector<double> calls_before_;  // of each bucket, and at last of all buckets
};

struct PartitionLoad {
  std::int64_t number = 0;
  double units_a_call = 0;                 // of the mix; 0: no partition took any
  std::int64_t window_begin_epoch_ms = 0;  // 0: the whole measurement
};

// Returns the partition, of those that are there at the end, of which each of the `calls` that
// succeeded in the measurement asks most, or each call in a window of about a minute. The units are
// those of PartitionMeasure's demand, so that they can be compared with what a partition serves. In
// a map that throttles, a call that was tried again would count several times; so the load is there
// the demand, but at most the units that were served.
//
// The slices of a map and the buckets of a measurement's time begin at different moments, so the
// calls of all buckets that a window touches count: a load may be understated, and is not
// overstated. A window in which the partition took fewer than kLeastUnitsOfWindow, or no call
// succeeded, tells nothing. Cost: O(n log n) for what is in the map's n slices, and O(log n) of the
// buckets of time for each window.
PartitionLoad HottestPartition(const CallTimes& times, const PartitionMap& map, double calls,
                               const PartitionDirection& direction);

}  // namespace hashrange
