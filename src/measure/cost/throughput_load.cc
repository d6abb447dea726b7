#include "measure/cost/throughput_load.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "measure/measured_tables.h"
#include "measure/pattern_sums.h"

namespace hashrange {
namespace {

constexpr double kMinuteMs = 60'000;
constexpr double kSecondsPerMinute = 60;
constexpr double kDeclaredMinutes = 60;
// A measurement has at most 1,440 buckets. Times that contradict one another, as a file may have
// them, do not make more stretches than this.
constexpr double kMostStretches = 3000;

ThroughputLoad LoadOfTable(const TableMeasure& table) {
  ThroughputLoad load{.table = table.name, .on_demand = table.on_demand};
  load.infrequent_access = IsInfrequentAccess(table);
  load.provisioned_read_units = static_cast<double>(table.provisioned_read_units);
  load.provisioned_write_units = static_cast<double>(table.provisioned_write_units);
  return load;
}

// The loads of the tables and global indexes of a measurement, and of others that its units name:
// tables that are deleted, or that it does not list.
class LoadTable {
 public:
  explicit LoadTable(const Measurement& measurement) {
    for (const TableMeasure& table : measurement.tables) {
      const ThroughputLoad of_table = LoadOfTable(table);
      Add(of_table);
      for (const IndexMeasure& index : table.indexes) {
        if (index.is_local) {
          places_.try_emplace({table.name, index.name}, places_.at({table.name, ""}));
          continue;
        }
        ThroughputLoad load = of_table;
        load.index = index.name;
        load.provisioned_read_units = static_cast<double>(index.provisioned_read_units);
        load.provisioned_write_units = static_cast<double>(index.provisioned_write_units);
        Add(std::move(load));
      }
    }
  }

  // Returns the load that the units of a table or index count for. The units of a local index are
  // its table's.
  ThroughputLoad& For(const std::string& table, const std::string& index) {
    const auto place = places_.find({table, index});
    if (place != places_.end()) return loads[place->second];
    Add({.table = table, .index = index, .on_demand = true});
    return loads.back();
  }

  std::vector<ThroughputLoad> loads;

 private:
  // The first of several loads of one name is found.
  void Add(ThroughputLoad load) {
    places_.try_emplace({load.table, load.index}, loads.size());
    loads.push_back(std::move(load));
  }

  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // of table and index
};

// Time cut into stretches of one length, which is at least a minute: the buckets of the
// measurement, or as many of them as make a minute.
class Stretches {
 public:
  explicit Stretches(const Measurement& measurement) {
    const TimeMeasure& time = measurement.time;
    begin_ms_ = static_cast<double>(measurement.began_epoch_ms);
    auto end_ms = static_cast<double>(measurement.ended_epoch_ms);
    const auto bucket_ms = static_cast<double>(std::max<std::int64_t>(time.bucket_ms, 1));
    if (!time.buckets.empty()) {
      begin_ms_ = std::min(begin_ms_, static_cast<double>(time.buckets.front().begin_epoch_ms));
      const auto last_ms = static_cast<double>(time.buckets.back().begin_epoch_ms);
      end_ms = std::max(end_ms, last_ms + bucket_ms);
    }
    length_ms_ = bucket_ms * std::max(1.0, std::ceil(kMinuteMs / bucket_ms));
    total_ms_ = std::max(end_ms - begin_ms_, kMinuteMs);
    length_ms_ *= std::ceil(total_ms_ / length_ms_ / kMostStretches);
  }

  // Returns the stretches of all the time, without units.
  std::vector<LoadStretch> Empty() const {
    const double count = std::ceil(total_ms_ / length_ms_);
    std::vector<LoadStretch> stretches(static_cast<std::size_t>(count),
                                       {length_ms_ / kMinuteMs, 0, 0});
    stretches.back().minutes = (total_ms_ - (count - 1) * length_ms_) / kMinuteMs;
    return stretches;
  }

  // Adds the units of a bucket.
  void AddTo(std::vector<LoadStretch>& stretches, std::int64_t begin_epoch_ms, double read_units,
             double write_units) const {
    const double since_begin_ms = static_cast<double>(begin_epoch_ms) - begin_ms_;
    const auto number = static_cast<std::size_t>(std::max(0.0, since_begin_ms / length_ms_));
    LoadStretch& stretch = stretches[std::min(number, stretches.size() - 1)];
    stretch.read_units_per_second += read_units / (stretch.minutes * kSecondsPerMinute);
    stretch.write_units_per_second += write_units / (stretch.minutes * kSecondsPerMinute);
  }

 private:
  double begin_ms_ = 0;
  double length_ms_ = 0;
  double total_ms_ = 0;
};

double SumOf(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double ShareOf(double part, double whole) { return whole == 0 ? 0 : part / whole; }

// Adds what a table or index took over time. A resource whose own units over time are not known
// gets its share of all units.
void AddOverTime(std::vector<LoadStretch>& stretches, const Stretches& time,
                 const ResourceMeasure& resource, const Measurement& measurement) {
  for (const HeatSlice& slice : resource.heat_over_time) {
    time.AddTo(stretches, slice.begin_epoch_ms, SumOf(slice.read_units), SumOf(slice.write_units));
  }
  if (!resource.heat_over_time.empty()) return;
  double all_read = 0, all_written = 0;
  for (const ResourceMeasure& each : measurement.resources) {
    all_read += each.read_units;
    all_written += each.write_units;
  }
  const double read_share = ShareOf(resource.read_units, all_read);
  const double write_share = ShareOf(resource.write_units, all_written);
  for (const TimeBucket& bucket : measurement.time.buckets) {
    time.AddTo(stretches, bucket.begin_epoch_ms, bucket.read_units * read_share,
               bucket.write_units * write_share);
  }
}

// Adds the bytes of vectors of a pattern, which are those of its table, times `factor`.
void AddVectorBytes(LoadTable& loads, const PatternMeasure& pattern, double factor) {
  if (pattern.vector_bytes_searched == 0 && pattern.vector_bytes_written == 0) return;
  ThroughputLoad& load = loads.For(MainTableOf(pattern), "");
  load.vector_bytes_searched += pattern.vector_bytes_searched * factor;
  load.vector_bytes_written += pattern.vector_bytes_written * factor;
}

// Adds `calls` calls of a pattern. Failed calls took units, too; these are the table's.
void AddCalls(LoadTable& loads, const PatternMeasure& pattern, double calls) {
  const double factor = ShareOf(calls, CallsOf(pattern));
  const auto add = [&](const std::string& table, const std::string& index, double read_units,
                       double write_units) {
    if (read_units == 0 && write_units == 0) return;
    ThroughputLoad& load = loads.For(table, index);
    load.read_units += read_units * factor;
    load.write_units += write_units * factor;
  };
  for (const ResourceUnits& units : pattern.units) {
    add(units.table, units.index, units.read_units, units.write_units);
  }
  add(MainTableOf(pattern), "", pattern.failed_read_units, pattern.failed_write_units);
  AddVectorBytes(loads, pattern, factor);
}

LoadTable SumsOf(const Measurement& measurement) {
  LoadTable loads(measurement);
  for (const ResourceMeasure& resource : measurement.resources) {
    ThroughputLoad& load = loads.For(resource.table, resource.index);
    load.read_units += resource.read_units + resource.failed_read_units;
    load.write_units += resource.write_units + resource.failed_write_units;
  }
  for (const PatternMeasure& pattern : measurement.patterns) AddVectorBytes(loads, pattern, 1);
  return loads;
}

}  // namespace

std::vector<ThroughputLoad> MeasuredSums(const Measurement& measurement) {
  return SumsOf(measurement).loads;
}

std::vector<ThroughputLoad> MeasuredLoads(const Measurement& measurement) {
  LoadTable loads = SumsOf(measurement);
  const Stretches time(measurement);
  for (ThroughputLoad& load : loads.loads) load.stretches = time.Empty();
  for (const ResourceMeasure& resource : measurement.resources) {
    ThroughputLoad& load = loads.For(resource.table, resource.index);
    AddOverTime(load.stretches, time, resource, measurement);
  }
  return std::move(loads.loads);
}

std::vector<ThroughputLoad> DeclaredLoads(const Measurement& measurement,
                                          const PatternRates& rates) {
  constexpr double kSeconds = kDeclaredMinutes * kSecondsPerMinute;
  LoadTable loads(measurement);
  for (std::size_t i = 0; i < measurement.patterns.size(); ++i) {
    AddCalls(loads, measurement.patterns[i], rates.calls_per_second[i] * kSeconds);
  }
  for (ThroughputLoad& load : loads.loads) {
    load.stretches = {{kDeclaredMinutes, load.read_units / kSeconds, load.write_units / kSeconds}};
  }
  return std::move(loads.loads);
}

// --- Autoscaling ---

namespace {

constexpr double kTarget = 0.7;
constexpr double kLowUse = 0.5;
constexpr double kMinutesBeforeMore = 2;
constexpr double kMinutesBeforeLess = 15;
// After so many minutes of a constant load, capacity has grown or shrunk as far as it will.
constexpr double kSteadyMinutes = 32;
constexpr double kLeastCapacity = 1;
// Keeps a load of exactly 70 % from rounding to one unit too many.
constexpr double kCapacityRounding = 1e-9;

}  // namespace

double Autoscaling::CapacityFor(double units_per_second) {
  return std::max(kLeastCapacity, std::ceil(units_per_second / kTarget - kCapacityRounding));
}

void Autoscaling::Add(double units_per_second, double minutes) {
  if (capacity_ == 0) capacity_ = CapacityFor(units_per_second);
  double left = minutes;
  for (double done = 0; left > 0 && done < kSteadyMinutes;) {
    const double step = std::min(1.0, left);
    Step(units_per_second, step);
    left -= step;
    done += step;
  }
  if (left > 0) Step(units_per_second, left);
}

void Autoscaling::Step(double units_per_second, double minutes) {
  minutes_ += minutes;
  capacity_minutes_ += capacity_ * minutes;
  units_above_ += std::max(0.0, units_per_second - capacity_) * minutes * 60;

  const bool is_above = units_per_second > capacity_ * kTarget + kCapacityRounding;
  minutes_above_target_ = is_above ? minutes_above_target_ + minutes : 0;
  const bool is_far_below = units_per_second < capacity_ * kLowUse;
  minutes_far_below_ = is_far_below ? minutes_far_below_ + minutes : 0;
  most_while_below_ = is_far_below ? std::max(most_while_below_, units_per_second) : 0;

  if (minutes_above_target_ >= kMinutesBeforeMore) {
    capacity_ = CapacityFor(units_per_second);
    minutes_above_target_ = 0;
  } else if (minutes_far_below_ >= kMinutesBeforeLess) {
    capacity_ = std::min(capacity_, CapacityFor(most_while_below_));
    minutes_far_below_ = 0;
    most_while_below_ = 0;
  }
}

}  // namespace hashrange
