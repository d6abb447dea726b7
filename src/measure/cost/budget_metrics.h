// The figures that budgets limit, by name. Used by the reading and the checking of budgets only.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "measure/cost/cost.h"
#include "measure/distribution.h"
#include "measure/measurement.h"

namespace hashrange {

// A size of a call, of which a statistic is limited.
struct SizeMetric {
  std::string_view name;
  const Distribution& (*of)(const PatternMeasure&);
};
std::span<const SizeMetric> SizeMetrics();

struct SizeStatistic {
  std::string_view name;
  double (*of)(const Distribution&);
};
std::span<const SizeStatistic> SizeStatistics();

// A single figure of a pattern.
struct PatternMetric {
  std::string_view name;
  double (*of)(const PatternMeasure&, const PatternPrice&);
};
std::span<const PatternMetric> PatternMetrics();

// A single figure of a table.
struct TableMetric {
  std::string_view name;
  // Returns none when the measurement does not tell.
  std::optional<double> (*of)(const Measurement&, const TableMeasure&, const Costs&);
  std::string_view why_unknown;
};
std::span<const TableMetric> TableMetrics();

// The severities of findings.
std::span<const std::string_view> FindingSeverities();

// Returns the row of that name; null when there is none.
template <typename Row>
const Row* FindMetric(std::span<const Row> rows, std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace hashrange
