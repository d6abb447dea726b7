#include "measure/first_limit.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "measure/measured_tables.h"
#include "measure/named_patterns.h"
#include "measure/number_text.h"
#include "measure/throughput_load.h"

namespace hashrange {
namespace {

constexpr double kQuota = 40'000;  // of a table, by default
// A window with fewer units of its hottest key tells nothing about rates: a minute in which one
// call was made would make that call's key as hot as the mix.
constexpr double kLeastUnitsOfWindow = 100;

// Reads and writes have limits of their own.
struct Direction {
  std::string_view name;
  std::string_view plural;
  double partition_limit;  // of a partition, so of a key and of an item
  TopKeys ResourceMeasure::*keys;
  TopKeys ResourceMeasure::*items;
  double ThroughputLoad::*units;
  double ThroughputLoad::*provisioned;
};
constexpr Direction kDirections[] = {
    {"read", "reads", 3000, &ResourceMeasure::read_keys, &ResourceMeasure::read_items,
     &ThroughputLoad::read_units, &ThroughputLoad::provisioned_read_units},
    {"write", "writes", 1000, &ResourceMeasure::written_keys, &ResourceMeasure::written_items,
     &ThroughputLoad::write_units, &ThroughputLoad::provisioned_write_units},
};

// A key with its units for each call of the mix, between two bounds.
struct HotKey {
  std::string key = {};
  double least_units_a_call = 0;
  double most_units_a_call = 0;
  std::int64_t window_begin_epoch_ms = 0;
};

HotKey HotKeyOf(const KeyCount& count, double calls) {
  return {count.key, std::max(0.0, count.units - count.error) / calls, count.units / calls, 0};
}

class LimitFinder {
 public:
  LimitFinder(const Measurement& measurement, std::span<const CallRate> rates)
      : measurement_(measurement), declared_(RatesOfPatterns(measurement, rates).total) {
    for (const PatternMeasure& pattern : measurement.patterns) calls_ += SuccessfulCallsOf(pattern);
  }

  std::vector<LimitRow> Find() && {
    if (calls_ == 0) return {};
    for (const ResourceMeasure& resource : measurement_.resources) {
      for (const Direction& direction : kDirections) AddKeys(resource, direction);
    }
    for (const ThroughputLoad& load : MeasuredLoads(measurement_)) {
      for (const Direction& direction : kDirections) AddThroughput(load, direction);
    }
    std::ranges::stable_sort(rows_, {}, &LimitRow::least_calls_per_second);
    return std::move(rows_);
  }

 private:
  void AddKeys(const ResourceMeasure& resource, const Direction& direction) {
    const HotKey key = HottestKey(resource, direction);
    if (key.most_units_a_call > 0) Add(resource, "key", direction, key);
    const std::vector<KeyCount>& items = (resource.*direction.items).keys;
    // Where a partition key has one item only, the row of the key says it all.
    if (items.empty() || items.front().key == key.key) return;
    Add(resource, "item", direction, HotKeyOf(items.front(), calls_));
  }

  HotKey HottestKey(const ResourceMeasure& resource, const Direction& direction) const {
    HotKey hottest;
    const std::vector<KeyCount>& keys = (resource.*direction.keys).keys;
    if (!keys.empty()) hottest = HotKeyOf(keys.front(), calls_);
    for (const HotWindow& window : resource.hot_windows) {
      const bool tells = window.calls > 0 && window.key.units >= kLeastUnitsOfWindow;
      if (window.direction != direction.name || !tells) continue;
      HotKey key = HotKeyOf(window.key, static_cast<double>(window.calls));
      if (key.most_units_a_call <= hottest.most_units_a_call) continue;
      key.window_begin_epoch_ms = window.begin_epoch_ms;
      hottest = std::move(key);
    }
    return hottest;
  }

  void Add(const ResourceMeasure& resource, const char* what, const Direction& direction,
           const HotKey& key) {
    LimitRow row{.table = resource.table, .index = resource.index, .what = what, .key = key.key};
    row.limit = direction.partition_limit;
    row.units_a_call = key.most_units_a_call;
    row.window_begin_epoch_ms = key.window_begin_epoch_ms;
    row.greatest_calls_per_second = key.least_units_a_call > 0
                                        ? row.limit / key.least_units_a_call
                                        : std::numeric_limits<double>::infinity();
    Push(std::move(row), direction);
  }

  void AddThroughput(const ThroughputLoad& load, const Direction& direction) {
    const double units_a_call = load.*direction.units / calls_;
    if (units_a_call == 0) return;
    const double provisioned = load.on_demand ? 0 : load.*direction.provisioned;
    LimitRow row{.table = load.table, .index = load.index};
    row.what = provisioned > 0 ? "throughput" : "quota";
    row.limit = provisioned > 0 ? provisioned : kQuota;
    row.units_a_call = units_a_call;
    row.greatest_calls_per_second = row.limit / units_a_call;
    Push(std::move(row), direction);
  }

  void Push(LimitRow row, const Direction& direction) {
    row.direction = direction.name;
    row.least_calls_per_second = row.limit / row.units_a_call;
    if (declared_ > 0) row.multiple_of_declared = row.least_calls_per_second / declared_;
    row.sentence = SentenceOf(row, direction);
    rows_.push_back(std::move(row));
  }

  std::string SentenceOf(const LimitRow& row, const Direction& direction) const {
    std::string calls = NumberText(row.least_calls_per_second);
    const std::string greatest = NumberText(row.greatest_calls_per_second);
    if (greatest != calls) calls += " to " + greatest;
    std::string sentence = "at " + calls + " calls/s of this mix: ";
    sentence += ResourceTitle(measurement_, row.table, row.index) + ", " + row.what;
    if (!row.key.empty()) sentence += " " + row.key;
    sentence += ", ";
    sentence += direction.plural;
    if (declared_ > 0) {
      sentence += " (" + NumberText(row.multiple_of_declared) + " × the declared rates)";
    }
    return sentence;
  }

  const Measurement& measurement_;
  const double declared_;  // calls a second
  double calls_ = 0;       // of the measurement that succeeded
  std::vector<LimitRow> rows_;
};

}  // namespace

std::vector<LimitRow> FirstLimits(const Measurement& measurement, std::span<const CallRate> rates) {
  return LimitFinder(measurement, rates).Find();
}

}  // namespace hashrange
