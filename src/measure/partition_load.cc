#include "measure/partition_load.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "base/stable_sort.h"
#include "measure/measured_tables.h"
#include "simulation/partitions/draw.h"

namespace hashrange {
namespace {

// A key that only one of the lists has may have been missed in the other one.
void AddMissed(double missed, KeyCount* key) {
  key->units += missed;
  key->error += missed;
}

void AddKeys(const TopKeys& others, TopKeys* keys) {
  if (others.total_units == 0) return;
  std::map<std::string_view, const KeyCount*> open;
  for (const KeyCount& other : others.keys) open.emplace(other.key, &other);
  for (KeyCount& key : keys->keys) {
    const auto other = open.find(key.key);
    if (other == open.end()) {
      AddMissed(others.missed_at_most, &key);
      continue;
    }
    key.units += other->second->units;
    key.error += other->second->error;
    open.erase(other);
  }
  for (const auto& [name, other] : open) {
    keys->keys.push_back(*other);
    AddMissed(keys->missed_at_most, &keys->keys.back());
  }
  keys->total_units += others.total_units;
  keys->missed_at_most += others.missed_at_most;
  StableSort(keys->keys, std::greater<>(), &KeyCount::units);
}

void AddWindow(const HotWindow& other, std::vector<HotWindow>* windows) {
  const auto at = std::ranges::find_if(*windows, [&](const HotWindow& window) {
    return window.begin_epoch_ms == other.begin_epoch_ms && window.direction == other.direction;
  });
  if (at == windows->end()) {
    windows->push_back(other);
    return;
  }
  at->total_units += other.total_units;
  if (at->key.key == other.key.key) {
    at->key.units += other.key.units;
    at->key.error += other.key.error;
  } else if (at->key.units < other.key.units) {
    at->key = other.key;
  }
}

// Returns the members that WithLocalIndexes promises.
ResourceMeasure WithoutHeat(const ResourceMeasure& resource) {
  ResourceMeasure copy{.table = resource.table, .index = resource.index};
  copy.read_units = resource.read_units;
  copy.write_units = resource.write_units;
  copy.failed_read_units = resource.failed_read_units;
  copy.failed_write_units = resource.failed_write_units;
  copy.read_keys = resource.read_keys;
  copy.written_keys = resource.written_keys;
  copy.read_items = resource.read_items;
  copy.written_items = resource.written_items;
  copy.hot_windows = resource.hot_windows;
  return copy;
}

}  // namespace

PartitionLimits LimitsOf(const PartitionParameters& parameters) {
  return {.read_units = static_cast<double>(parameters.read_units),
          .write_units = static_cast<double>(parameters.write_units),
          .new_table_read_units = static_cast<double>(parameters.new_read_units),
          .new_table_write_units = static_cast<double>(parameters.new_write_units),
          .quota_read_units = static_cast<double>(parameters.quota_read_units),
          .quota_write_units = static_cast<double>(parameters.quota_write_units)};
}

double PartitionReadUnitsOf(const PartitionLimits& limits, double strong_share) {
  const double of_leader = strong_share;
  // What each of the replicas does when all share the work: an eventually consistent read costs
  // half a unit, but is a whole read.
  const double of_each = (strong_share + 2 * (1 - strong_share)) / static_cast<double>(kReplicas);
  return limits.read_units / std::max(of_leader, of_each);
}

bool IsLocalIndex(const Measurement& measurement, const ResourceMeasure& resource) {
  const IndexMeasure* const index = FindIndex(measurement, resource.table, resource.index);
  return index && index->is_local;
}

ResourceMeasure WithLocalIndexes(const Measurement& measurement, const ResourceMeasure& resource) {
  ResourceMeasure shared = WithoutHeat(resource);
  if (!resource.index.empty()) return shared;
  for (const ResourceMeasure& other : measurement.resources) {
    if (other.table != resource.table || !IsLocalIndex(measurement, other)) continue;
    AddKeys(other.read_keys, &shared.read_keys);
    AddKeys(other.written_keys, &shared.written_keys);
    for (const HotWindow& window : other.hot_windows) AddWindow(window, &shared.hot_windows);
  }
  return shared;
}

namespace {

// Returns the length of the windows: whole slices, and long beside the buckets of time. 0 when
// there are no slices or buckets, or longer ones than a day.
std::int64_t WindowOf(std::int64_t bucket_ms, const PartitionMap& map) {
  constexpr std::int64_t kLeastMs = 60'000;
  constexpr std::int64_t kMostMs = 86'400'000;
  constexpr std::int64_t kLeastBuckets = 4;
  const std::int64_t slice = map.slice_ms;
  const bool is_known = bucket_ms > 0 && slice > 0 && bucket_ms <= kMostMs && slice <= kMostMs;
  if (!is_known) return 0;
  const std::int64_t least = std::max(kLeastMs, kLeastBuckets * bucket_ms);
  return (least + slice - 1) / slice * slice;
}

// Finds the hottest of the partitions of one map.
class PartitionSearch {
 public:
  PartitionSearch(const CallTimes& times, const PartitionMap& map,
                  const PartitionDirection& direction)
      : times_(times),
        slices_(map.slices),
        direction_(direction),
        is_watched_(map.mode == "watch") {
    for (const PartitionMeasure& partition : map.partitions) {
      if (partition.ended_epoch_ms == 0) present_.insert(partition.number);
    }
  }

  PartitionLoad Find(double calls, std::int64_t window_ms) && {
    for (const auto& [number, units] : LoadsOf(slices_)) Take({number, units / calls, 0});
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
    const double calls = times_.CallsIn(begin, begin + window_ms);
    for (const auto& [number, units] : LoadsOf(slices_.first(count))) {
      if (units >= kLeastUnitsOfWindow && calls > 0) Take({number, units / calls, begin});
    }
    slices_ = slices_.subspan(count);
  }

  // Returns what calls asked of each partition that is there at the end, by its number.
  std::map<std::int64_t, double> LoadsOf(std::span<const PartitionSlice> slices) const {
    std::map<std::int64_t, double> loads;
    for (const PartitionSlice& slice : slices) {
      for (const PartitionHeat& heat : slice.partitions) {
        if (present_.contains(heat.number)) loads[heat.number] += LoadOf(heat);
      }
    }
    return loads;
  }

  double LoadOf(const PartitionHeat& heat) const {
    const double demand = heat.*direction_.slice_demand;
    return is_watched_ ? demand : std::min(demand, heat.*direction_.slice_units);
  }

  const CallTimes& times_;
  std::span<const PartitionSlice> slices_;  // not taken yet
  const PartitionDirection& direction_;
  const bool is_watched_;           // nothing was refused
  std::set<std::int64_t> present_;  // the numbers of the partitions that are there at the end
  PartitionLoad hottest_;
};

}  // namespace

CallTimes::CallTimes(const TimeMeasure& time) : time_(time) {
  calls_before_.reserve(time.buckets.size() + 1);
  double calls = 0;
  for (const TimeBucket& bucket : time.buckets) {
    calls_before_.push_back(calls);
    if (bucket.calls > bucket.errors) calls += static_cast<double>(bucket.calls - bucket.errors);
  }
  calls_before_.push_back(calls);
}

double CallTimes::CallsIn(std::int64_t begin_epoch_ms, std::int64_t end_epoch_ms) const {
  // A bucket that begins one length of buckets before the time ends when the time begins.
  const std::size_t first = BucketsBefore(begin_epoch_ms - time_.bucket_ms + 1);
  const std::size_t end = BucketsBefore(end_epoch_ms);
  return end > first ? calls_before_[end] - calls_before_[first] : 0;
}

// Returns how many buckets begin before the moment.
std::size_t CallTimes::BucketsBefore(std::int64_t epoch_ms) const {
  const auto at =
      std::ranges::lower_bound(time_.buckets, epoch_ms, {}, &TimeBucket::begin_epoch_ms);
  return static_cast<std::size_t>(at - time_.buckets.begin());
}

PartitionLoad HottestPartition(const CallTimes& times, const PartitionMap& map, double calls,
                               const PartitionDirection& direction) {
  if (calls <= 0) return {};
  return PartitionSearch(times, map, direction).Find(calls, WindowOf(times.bucket_ms(), map));
}

}  // namespace hashrange
