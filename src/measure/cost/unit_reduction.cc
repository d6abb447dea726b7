#include "measure/cost/unit_reduction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hashrange {
namespace {

void RemoveUnits(Distribution& calls, double removed) {
  if (calls.sum() <= 0) return;
  const double left = std::max(0.0, calls.sum() - removed);
  const double factor = left / calls.sum();
  Distribution fewer;
  for (const Distribution::Bucket& bucket : calls.buckets()) {
    const double value = Distribution::GreatestOf(bucket.number);
    fewer.Add(std::min(value, std::ceil(value * factor)), bucket.count);
  }
  const auto buckets = fewer.buckets();
  calls = Distribution::Of({buckets.begin(), buckets.end()}, left, fewer.max());
}

void ScaleKeys(TopKeys& keys, double factor) {
  keys.total_units *= factor;
  keys.missed_at_most *= factor;
  for (KeyCount& key : keys.keys) {
    key.units *= factor;
    key.error *= factor;
  }
}

}  // namespace

double FactorOf(double part, double whole) { return whole == 0 ? 1 : part / whole; }

ResourceUnits* FindUnits(std::vector<ResourceUnits>& units, std::string_view table,
                         std::string_view index) {
  for (ResourceUnits& row : units) {
    if (row.table == table && row.index == index) return &row;
  }
  return nullptr;
}

void RemoveWriteUnits(PatternMeasure& pattern, double removed) {
  if (removed == 0) return;
  RemoveUnits(pattern.call.write_units, removed);
  RemoveUnits(pattern.page.write_units, removed);
}

void ScaleResource(ResourceMeasure& resource, double read_factor, double write_factor) {
  resource.read_units *= read_factor;
  resource.write_units *= write_factor;
  ScaleKeys(resource.read_keys, read_factor);
  ScaleKeys(resource.read_items, read_factor);
  ScaleKeys(resource.written_keys, write_factor);
  ScaleKeys(resource.written_items, write_factor);
  for (HotWindow& window : resource.hot_windows) {
    const double factor = window.direction == "read" ? read_factor : write_factor;
    window.key.units *= factor;
    window.key.error *= factor;
    window.total_units *= factor;
  }
  for (HeatRange& range : resource.heat) {
    range.read_units *= read_factor;
    range.write_units *= write_factor;
  }
  for (HeatSlice& slice : resource.heat_over_time) {
    for (double& units : slice.read_units) units *= read_factor;
    for (double& units : slice.write_units) units *= write_factor;
  }
}

void ScaleTime(TimeMeasure& time, double read_factor, double write_factor) {
  for (TimeBucket& bucket : time.buckets) {
    for (double* const units :
         {&bucket.read_units, &bucket.peak_second_read_units, &bucket.peak_minute_read_units}) {
      *units *= read_factor;
    }
    for (double* const units :
         {&bucket.write_units, &bucket.peak_second_write_units, &bucket.peak_minute_write_units}) {
      *units *= write_factor;
    }
  }
}

ResourceUnits TotalUnits(const Measurement& measurement) {
  ResourceUnits total;
  for (const ResourceMeasure& resource : measurement.resources) {
    total.read_units += resource.read_units;
    total.write_units += resource.write_units;
  }
  return total;
}

}  // namespace hashrange
