// Makes a Measurement of what the stripes counted and of what is stored. Used by one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "measure/measurement.h"
#include "measure/meter/meter.h"
#include "measure/meter/stripe.h"

namespace hashrange {

// The number and size of the items of a table and of the entries of its indexes.
struct TableSizes {
  std::string account;
  std::string region;
  std::string table;
  std::string index;  // empty: the table itself
  std::int64_t items = 0;
  std::int64_t size_bytes = 0;
};

// Returns the sizes of the tables in the scope, and of their indexes.
std::vector<TableSizes> SizesOfTables(Engine& engine, const MeasurementScope& scope);

struct MeasuredTraffic {
  std::string name;
  const MeasurementScope& scope;
  std::int64_t began_epoch_ms = 0;
  std::int64_t ended_epoch_ms = 0;
  bool is_running = false;
  const std::vector<TableSizes>& sizes_at_begin;
  const SharedCounters& shared;
  std::vector<StripeCounters> stripes;
};

// Returns the measurement. It pins the tables of the scope at one instant, and walks through them.
Measurement MakeMeasurement(Engine& engine, const MeasuredTraffic& traffic);

}  // namespace hashrange
