// How calls load partitions, beside what a partition serves (docs/service/20-partition-model.md,
// section 1): by key, as a key's units are all in one partition, and by partition of a PartitionMap
// where partitions were modelled. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "measure/measurement.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

// Returns what a model with these parameters serves.
PartitionLimits LimitsOf(const PartitionParameters& parameters);

// Returns the read units that a partition serves in a second when `strong_share` of them, from 0 to
// 1, are of reads that are strongly consistent or in transactions. Such reads all go to one of
// three replicas; eventually consistent ones go to all three, each read at half a unit. So with the
// usual limits the share 1 gives 3,000 units, 0 gives 4,500, and the greatest number, 6,000, is at
// 1/2.
double PartitionReadUnitsOf(const PartitionLimits& limits, double strong_share);

// Returns whether the resource is a local index. A local index has no partitions of its own: its
// entries are in its table's partitions, so what calls take of a key there, they take of the
// table's key.
bool IsLocalIndex(const Measurement& measurement, const ResourceMeasure& resource);

// Returns the resource, which is no local index, with the counts of its partition keys
// (`read_keys`, `written_keys`, `hot_windows`) increased by the counts of its local indexes, if it
// is a table that has some. Of a window whose hottest keys differ, the hotter one stays. Of the
// other members the names, the units, `read_items` and `written_items` are copied, and no others.
ResourceMeasure WithLocalIndexes(const Measurement& measurement, const ResourceMeasure& resource);

// A window of time with fewer units of its hottest key, or of a partition, tells nothing about
// rates: a minute in which one call was made would make that call's key as hot as the mix.
inline constexpr double kLeastUnitsOfWindow = 100;

// --- Modelled partitions ---

// Reads, or writes, and the members that belong to them.
struct PartitionDirection {
  std::string_view name;
  std::string_view plural;
  TopKeys ResourceMeasure::*keys;
  double PartitionMap::*partition_units;
  double PartitionMeasure::*units;
  double PartitionMeasure::*demand;
  double PartitionHeat::*slice_units;
  double PartitionHeat::*slice_demand;
  std::int64_t PartitionMeasure::*throttled;
  double PartitionHeat::*slice_throttled;
};
inline constexpr PartitionDirection kPartitionReads = {"read",
                                                       "reads",
                                                       &ResourceMeasure::read_keys,
                                                       &PartitionMap::partition_read_units,
                                                       &PartitionMeasure::read_units,
                                                       &PartitionMeasure::read_demand,
                                                       &PartitionHeat::read_units,
                                                       &PartitionHeat::read_demand,
                                                       &PartitionMeasure::throttled_reads,
                                                       &PartitionHeat::throttled_reads};
inline constexpr PartitionDirection kPartitionWrites = {"write",
                                                        "writes",
                                                        &ResourceMeasure::written_keys,
                                                        &PartitionMap::partition_write_units,
                                                        &PartitionMeasure::write_units,
                                                        &PartitionMeasure::write_demand,
                                                        &PartitionHeat::write_units,
                                                        &PartitionHeat::write_demand,
                                                        &PartitionMeasure::throttled_writes,
                                                        &PartitionHeat::throttled_writes};

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

// Returns the partition, among the partitions at the end, of which each of the `calls` that
// succeeded in the measurement asks most, or each call in a window of about a minute. The units are
// PartitionMeasure's demand, so that they can be compared with what a partition serves. In
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
