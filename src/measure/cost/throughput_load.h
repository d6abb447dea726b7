// ThroughputLoad: the units that a table or a global index took, in total and over time, by which
// throughput is provisioned and billed. A local index takes the throughput of its table, so its
// units are the table's. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/call_rates.h"
#include "measure/measurement.h"

namespace hashrange {

// Part of a load that is taken as constant: at least a minute.
struct LoadStretch {
  double minutes = 0;
  double read_units_per_second = 0;
  double write_units_per_second = 0;
};

struct ThroughputLoad {
  std::string table = {};
  std::string index = {};
  bool on_demand = false;
  bool infrequent_access = false;
  double provisioned_read_units = 0;
  double provisioned_write_units = 0;
  double read_units = 0;  // failed calls included, since they are charged
  double write_units = 0;
  // Of a table: the bytes that its vector indexes were charged.
  double vector_bytes_searched = 0;
  double vector_bytes_written = 0;
  std::vector<LoadStretch> stretches = {};
};

// Returns a load for each table and global index: what was measured, from the beginning of the
// measurement to its end.
// Cost: a few thousand stretches a load at most.
std::vector<ThroughputLoad> MeasuredLoads(const Measurement& measurement);

// Returns the same loads without their stretches.
std::vector<ThroughputLoad> MeasuredSums(const Measurement& measurement);

// Returns the loads of calls at declared rates, as one stretch of an hour. `read_units` and
// `write_units` are the units of this hour.
std::vector<ThroughputLoad> DeclaredLoads(const Measurement& measurement,
                                          const PatternRates& rates);

// The capacity that the service's target tracking would provision for a load, minute by minute
// (docs/service/21-layout-lab.md, section 3): it aims at 70 % use, adds capacity after two minutes
// above that, and takes capacity away after 15 minutes below 50 %. Modelled: a load is the mean of
// a minute, and the burst that the service keeps is left out. Used by one thread.
class Autoscaling {
 public:
  // Continues with a constant load. The first load is met by enough capacity from the start.
  // Cost: O(1) for any length, since a constant load changes nothing after half an hour.
  void Add(double units_per_second, double minutes);

  double hours() const { return minutes_ / 60; }
  // Returns the sum of capacity × time, in unit-hours.
  double capacity_hours() const { return capacity_minutes_ / 60; }
  // Returns the units that were asked for above the capacity.
  double units_above_capacity() const { return units_above_; }
  // Returns the capacity now, in units a second.
  double capacity() const { return capacity_; }

  // Returns the capacity that has 70 % use at this load: at least 1, and whole.
  static double CapacityFor(double units_per_second);

 private:
  void Step(double units_per_second, double minutes);

  double capacity_ = 0;  // 0: nothing was added yet
  double minutes_ = 0;
  double capacity_minutes_ = 0;
  double units_above_ = 0;
  double minutes_above_target_ = 0;
  double minutes_far_below_ = 0;
  double most_while_below_ = 0;  // units a second, since minutes_far_below_ began
};

}  // namespace hashrange
