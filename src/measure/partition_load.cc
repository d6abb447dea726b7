#include "measure/partition_load.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace hashrange {
namespace {

// Returns the length of the windows: whole slices, and long beside the buckets of time. 0 when
// there are no slices or buckets, or longer ones than a day.
std::int64_t WindowOf(const Measurement& measurement, const PartitionMap& map) {
  constexpr std::int64_t kLeastMs = 60'000;
  constexpr std::int64_t kMostMs = 86'400'000;
  constexpr std::int64_t kLeastBuckets = 4;
  const std::int64_t bucket = measurement.time.bucket_ms;
  const std::int64_t slice = map.slice_ms;
  const bool is_known = bucket > 0 && slice > 0 && bucket <= kMostMs && slice <= kMostMs;
  if (!is_known) return 0;
  const std::int64_t least = std::max(kLeastMs, kLeastBuckets * bucket);
  return (least + slice - 1) / slice * slice;
}

// Returns the calls that succeeded in the buckets that the time touches.
double CallsIn(const TimeMeasure& time, std::int64_t begin, std::int64_t end) {
  auto at = std::ranges::upper_bound(time.buckets, begin - time.bucket_ms, {},
                                     &TimeBucket::begin_epoch_ms);
  double calls = 0;
  for (; at != time.buckets.end() && at->begin_epoch_ms < end; ++at) {
    if (at->calls > at->errors) calls += static_cast<double>(at->calls - at->errors);
  }
  return calls;
}

// Returns the slices that the measurement saw from their begin.
std::span<const PartitionSlice> MeasuredSlices(const Measurement& measurement,
                                               const PartitionMap& map) {
  const auto first = std::ranges::lower_bound(map.slices, measurement.began_epoch_ms, {},
                                              &PartitionSlice::begin_epoch_ms);
  return {first, map.slices.end()};
}

// Finds the hottest of the partitions of one map.
class PartitionSearch {
 public:
  PartitionSearch(const Measurement& measurement, const PartitionMap& map,
                  const PartitionDirection& direction)
      : time_(measurement.time), slices_(MeasuredSlices(measurement, map)), direction_(direction) {
    for (const PartitionMeasure& partition : map.partitions) {
      if (partition.ended_epoch_ms == 0) present_.insert(partition.number);
    }
  }

  PartitionLoad Find(double calls, std::int64_t window_ms) && {
    for (const auto& [number, units] : UnitsOf(slices_)) Take({number, units / calls, 0});
    while (window_ms > 0 && !slices_.empty()) TakeWindow(window_ms);
    return hottest_;
  }

 private:
  void Take(const PartitionLoad& load) {
    if (load.units_a_call > hottest_.units_a_call) hottest_ = load;
  }

  // Takes the first window of the slices, and its slices away.
  void TakeWindow(std::int64_t window_ms) {
    const std::int64_t begin = slices_.front().begin_epoch_ms;
    const auto after =
        std::ranges::lower_bound(slices_, begin + window_ms, {}, &PartitionSlice::begin_epoch_ms);
    const auto count = static_cast<std::size_t>(after - slices_.begin());
    const double calls = CallsIn(time_, begin, begin + window_ms);
    for (const auto& [number, units] : UnitsOf(slices_.first(count))) {
      if (units >= kLeastUnitsOfWindow && calls > 0) Take({number, units / calls, begin});
    }
    slices_ = slices_.subspan(count);
  }

  // Returns the units of each partition that is there at the end, by its number.
  std::map<std::int64_t, double> UnitsOf(std::span<const PartitionSlice> slices) const {
    std::map<std::int64_t, double> units;
    for (const PartitionSlice& slice : slices) {
      for (const PartitionHeat& heat : slice.partitions) {
        if (present_.contains(heat.number)) units[heat.number] += heat.*direction_.slice_units;
      }
    }
    return units;
  }

  const TimeMeasure& time_;
  std::span<const PartitionSlice> slices_;  // those that are not taken yet
  const PartitionDirection& direction_;
  std::set<std::int64_t> present_;  // the numbers of the partitions that are there at the end
  PartitionLoad hottest_;
};

}  // namespace

PartitionLoad HottestPartition(const Measurement& measurement, const PartitionMap& map,
                               double calls, const PartitionDirection& direction) {
  if (calls <= 0) return {};
  return PartitionSearch(measurement, map, direction).Find(calls, WindowOf(measurement, map));
}

}  // namespace hashrange
