// How much of the measured mix the hottest partition of a PartitionMap takes. Pure functions; any
// thread.
#pragma once

#include <cstdint>

#include "measure/measurement.h"

namespace hashrange {

// A window of time with fewer units of its hottest key, or of a partition, tells nothing about
// rates: a minute in which one call was made would make that call's key as hot as the mix.
inline constexpr double kLeastUnitsOfWindow = 100;

// The members of a map's parts that belong to reads, or to writes.
struct PartitionDirection {
  double PartitionMeasure::*units;
  double PartitionHeat::*slice_units;
  std::int64_t PartitionMeasure::*throttled;
  double PartitionHeat::*slice_throttled;
};
inline constexpr PartitionDirection kPartitionReads = {
    &PartitionMeasure::read_units, &PartitionHeat::read_units, &PartitionMeasure::throttled_reads,
    &PartitionHeat::throttled_reads};
inline constexpr PartitionDirection kPartitionWrites = {
    &PartitionMeasure::write_units, &PartitionHeat::write_units,
    &PartitionMeasure::throttled_writes, &PartitionHeat::throttled_writes};

struct PartitionLoad {
  std::int64_t number = 0;
  double units_a_call = 0;                 // of the mix; 0: no partition took any
  std::int64_t window_begin_epoch_ms = 0;  // 0: the whole measurement
};

// Returns the partition, of those that are there at the end, with the most units for each of the
// `calls` that succeeded in the measurement, or for each call in a window of about a minute. The
// slices of a map and the buckets of a measurement's time begin at different moments, so the calls
// of all buckets that a window touches count: a load may be understated, and is not overstated. A
// window in which the partition took fewer than kLeastUnitsOfWindow, or no call succeeded, tells
// nothing. Slices that began before the measurement are left out. Cost: O(n log n) for n slices and
// buckets.
PartitionLoad HottestPartition(const Measurement& measurement, const PartitionMap& map,
                               double calls, const PartitionDirection& direction);

}  // namespace hashrange
