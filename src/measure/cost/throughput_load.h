// ThroughputLoad: the units that a table or a global index took, in total and over time. Throughput
// is provisioned and billed by these. A local index takes the throughput of its table, so its units
// are the table's. Pure functions; any thread.
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
  std::vector<LoadStretch> stretches = {};
};

// Returns a load for each table and global index: what was measured, from the beginning of the
// measurement to its end.
// Cost: a few thousand stretches a load at most.
std::vector<ThroughputLoad> MeasuredLoads(const Measurement& measurement);

// Returns the same loads without their stretches.
std::vector<ThroughputLoad> MeasuredSums(const Measurement& measurement);

// Returns the loads of calls at declared rates, as one stretch of an hour. `read_units` and
// `write_units` are those of this hour.
std::vector<ThroughputLoad> DeclaredLoads(const Measurement& measurement,
                                          const PatternRates& rates);

}  // namespace hashrange
