// Comparison: several measurements side by side, with what got worse than in the first of them, the
// baseline. Server time and the first limits of modelled partitions are never compared, since they
// do not reproduce. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "measure/call_rates.h"
#include "measure/cost/first_limit.h"
#include "measure/cost/price_list.h"
#include "measure/measurement.h"
#include "measure/pattern_sums.h"
#include "wire/json_writer.h"

namespace hashrange {

// A pattern of several measurements. Patterns belong together by their names, or else by their ids;
// a pattern that has a name in one measurement only, by its text. Comparisons and reports of
// several measurements both take their rows from here.
struct AlignedPattern {
  std::string title = {};             // of the first measurement that has it
  std::vector<std::string> ids = {};  // in all measurements
  // One for each measurement; null: the measurement has no such pattern.
  std::vector<std::unique_ptr<const NamedPattern>> sides = {};
};

// Returns the patterns in the order of the first measurement, then the patterns that are new in
// the second, and so on. Cost: O(patterns · measurements).
std::vector<AlignedPattern> AlignPatterns(std::span<const Measurement* const> measurements);

// How much worse a figure may get. It is a regression when it got worse by more than the share and
// by at least the amount.
struct Tolerance {
  double share = 0.05;
  double units = 0.5;          // capacity units a call, and items examined for each returned
  double bytes = 1024 * 1024;  // of a table or an index
  double vector_bytes = 1024;  // that a call searches or writes
};

struct CompareInput {
  PriceList prices = BuiltInPrices();
  std::vector<CallRate> rates = {};
  Tolerance tolerance = {};
};

// A pattern in one of the measurements.
struct PatternSide {
  bool is_present = false;
  double calls = 0;
  double read_units_a_call = 0;
  double write_units_a_call = 0;
  double p99_read_units = 0;
  double p99_write_units = 0;
  double examined_per_returned = 0;  // infinity when nothing was returned
  double usd_per_million = 0;
  double vector_bytes_searched_a_call = 0;
  double vector_bytes_written_a_call = 0;
};

struct PatternRow {
  std::string title = {};
  std::vector<std::string> ids = {};
  std::vector<PatternSide> sides = {};  // one for each measurement
};

// What a table or an index holds in one of the measurements.
struct StorageSide {
  bool is_present = false;
  std::int64_t items = 0;
  double billed_bytes = 0;  // with the 100 bytes of each item
};

struct StorageRow {
  std::string table = {};
  std::string index = {};
  std::vector<StorageSide> sides = {};
};

struct MeasurementSide {
  std::string name = {};
  double calls = 0;
  double usd_per_million = 0;         // calls of this mix
  double storage_usd = 0;             // a month
  std::vector<LimitRow> limits = {};  // the first limit first
};

struct Regression {
  std::size_t side = 0;    // the number of the measurement
  std::string what = {};   // "read units a call"
  std::string where = {};  // a pattern's title, a table or index
  double before = 0;
  double now = 0;
  std::string sentence = {};
};

struct Comparison {
  std::vector<MeasurementSide> sides = {};
  std::vector<PatternRow> patterns = {};  // the first measurement's come first
  std::vector<StorageRow> storage = {};
  std::vector<Regression> regressions = {};
};

// Returns the measurements side by side; nothing without measurements.
Comparison Compare(std::span<const Measurement> measurements, const CompareInput& input);

// Writes {"passed": …, "regressions": […], "measurements": […], "patterns": […], "storage": […]}.
// It passed when there is no regression. A figure that is infinite is null.
void WriteComparison(const Comparison& comparison, JsonWriter& writer);

}  // namespace hashrange
