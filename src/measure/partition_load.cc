#include "measure/partition_load.h"

#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace hashrange {
namespace {

// A window with fewer units tells nothing about rates (first_limit.cc).
constexpr double kLeastUnitsOfWindow = 100;

bool BeganWithin(const Measurement& measurement, const PartitionMap& map) {
  return map.began_epoch_ms >= measurement.began_epoch_ms;
}

// Returns the length of the windows that slices and buckets both fill; 0 when there is none.
std::int64_t WindowOf(const Measurement& measurement, const PartitionMap& map) {
  constexpr std::int64_t kLongest = 86'400'000;  // a day
  const std::int64_t bucket = measurement.time.bucket_ms;
  const std::int64_t slice = map.slice_ms;
  const bool is_known = bucket > 0 && slice > 0 && bucket <= kLongest && slice <= kLongest;
  if (!is_known) return 0;
  const std::int64_t window = std::lcm(bucket, slice);
  return window <= kLongest ? window : 0;
}

// Returns the calls that succeeded in each window, by its begin.
std::map<std::int64_t, double> CallsByWindow(const TimeMeasure& time, std::int64_t window) {
  std::map<std::int64_t, double> calls;
  for (const TimeBucket& bucket : time.buckets) {
    if (bucket.calls <= bucket.errors) continue;
    const std::int64_t begin = bucket.begin_epoch_ms - bucket.begin_epoch_ms % window;
    calls[begin] += static_cast<double>(bucket.calls - bucket.errors);
  }
  return calls;
}

// Finds the hottest of the partitions of one map.
class PartitionSearch {
 public:
  PartitionSearch(const Measurement& measurement, const PartitionMap& map,
                  const PartitionDirection& direction)
      : measurement_(measurement), map_(map), direction_(direction) {
    for (const PartitionMeasure& partition : map.partitions) {
      if (partition.ended_epoch_ms == 0) present_.insert(partition.number);
    }
  }

  PartitionLoad Find(double calls) && {
    for (const auto& [number, units] : UnitsOfMeasurement()) Take({number, units / calls, 0});
    const std::int64_t window = WindowOf(measurement_, map_);
    if (window > 0) TakeWindows(window);
    return hottest_;
  }

 private:
  void Take(const PartitionLoad& load) {
    if (load.units_a_call > hottest_.units_a_call) hottest_ = load;
  }

  // The slices that begin in the measurement.
  bool IsMeasured(std::int64_t begin_epoch_ms) const {
    return begin_epoch_ms >= measurement_.began_epoch_ms || BeganWithin(measurement_, map_);
  }

  std::map<std::int64_t, double> UnitsOfMeasurement() const {
    std::map<std::int64_t, double> units;
    if (BeganWithin(measurement_, map_)) {
      for (const PartitionMeasure& partition : map_.partitions) {
        if (partition.ended_epoch_ms == 0) units[partition.number] = partition.*direction_.units;
      }
      return units;
    }
    for (const PartitionSlice& slice : map_.slices) {
      if (!IsMeasured(slice.begin_epoch_ms)) continue;
      for (const PartitionHeat& heat : slice.partitions) {
        if (present_.contains(heat.number)) units[heat.number] += heat.*direction_.slice_units;
      }
    }
    return units;
  }

  void TakeWindows(std::int64_t window) {
    std::map<std::pair<std::int64_t, std::int64_t>, double> units;  // by window and number
    for (const PartitionSlice& slice : map_.slices) {
      const std::int64_t begin = slice.begin_epoch_ms - slice.begin_epoch_ms % window;
      if (!IsMeasured(begin)) continue;
      for (const PartitionHeat& heat : slice.partitions) {
        if (!present_.contains(heat.number)) continue;
        units[{begin, heat.number}] += heat.*direction_.slice_units;
      }
    }
    const auto calls = CallsByWindow(measurement_.time, window);
    for (const auto& [place, of_window] : units) {
      const auto known = calls.find(place.first);
      if (known == calls.end() || of_window < kLeastUnitsOfWindow) continue;
      Take({place.second, of_window / known->second, place.first});
    }
  }

  const Measurement& measurement_;
  const PartitionMap& map_;
  const PartitionDirection& direction_;
  std::set<std::int64_t> present_;  // the numbers of the partitions that are there at the end
  PartitionLoad hottest_;
};

}  // namespace

PartitionLoad HottestPartition(const Measurement& measurement, const PartitionMap& map,
                               double calls, const PartitionDirection& direction) {
  if (calls <= 0) return {};
  return PartitionSearch(measurement, map, direction).Find(calls);
}

}  // namespace hashrange
