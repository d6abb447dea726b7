#include "measure/cost/regressions.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "measure/number_text.h"

namespace hashrange {
namespace {

// Keeps a difference of exactly the tolerated amount from being lost in rounding.
constexpr double kRounding = 1e-9;

// A figure of a pattern, which is worse when it is greater.
struct ComparedMetric {
  std::string_view name;
  double PatternSide::*of;
  bool is_usd;
};
constexpr ComparedMetric kComparedMetrics[] = {
    {"read units a call", &PatternSide::read_units_a_call, false},
    {"write units a call", &PatternSide::write_units_a_call, false},
    {"p99 of read units", &PatternSide::p99_read_units, false},
    {"p99 of write units", &PatternSide::p99_write_units, false},
    {"items examined for each returned", &PatternSide::examined_per_returned, false},
    {"US$ per million calls", &PatternSide::usd_per_million, true},
};

class RegressionSearch {
 public:
  RegressionSearch(const Comparison& comparison, const CompareInput& input)
      : comparison_(comparison), tolerance_(input.tolerance) {
    // As much money as the tolerated units would be if they were reads.
    const std::string_view reads = UsageTypeOf(Charge::kReadRequest, false);
    tolerated_usd_ = 1e6 * tolerance_.units * UnitUsd(input.prices, reads);
  }

  std::vector<Regression> Run() && {
    for (std::size_t side = 1; side < comparison_.sides.size(); ++side) {
      for (const PatternRow& row : comparison_.patterns) ComparePattern(row, side);
      for (const StorageRow& row : comparison_.storage) CompareStorage(row, side);
      CompareFirstLimit(side);
    }
    return std::move(found_);
  }

 private:
  bool IsWorse(double before, double now, double amount) const {
    return now > before * (1 + tolerance_.share) && now - before >= amount - kRounding;
  }

  void ComparePattern(const PatternRow& row, std::size_t side) {
    if (!row.sides[0].is_present || !row.sides[side].is_present) return;
    for (const ComparedMetric& metric : kComparedMetrics) {
      const double before = row.sides[0].*metric.of;
      const double now = row.sides[side].*metric.of;
      const double amount = metric.is_usd ? tolerated_usd_ : tolerance_.units;
      if (IsWorse(before, now, amount))
        AddRise(side, std::string(metric.name), row.title, before, now);
    }
  }

  void CompareStorage(const StorageRow& row, std::size_t side) {
    const StorageSide& before = row.sides[0];
    const StorageSide& now = row.sides[side];
    if (!before.is_present || !now.is_present) return;
    if (!IsWorse(before.billed_bytes, now.billed_bytes, tolerance_.bytes)) return;
    const std::string where = row.index.empty() ? row.table : row.index + " of " + row.table;
    AddRise(side, "stored bytes", where, before.billed_bytes, now.billed_bytes);
  }

  void CompareFirstLimit(std::size_t side) {
    const LimitRow* const before = FirstReproducibleLimit(comparison_.sides[0].limits);
    const LimitRow* const now = FirstReproducibleLimit(comparison_.sides[side].limits);
    if (!before || !now) return;
    const LimitRow& first_before = *before;
    const LimitRow& first_now = *now;
    // The counters have an error: only intervals that do not meet are a difference.
    const double tolerated = first_before.least_calls_per_second * (1 - tolerance_.share);
    if (first_now.greatest_calls_per_second >= tolerated) return;
    found_.push_back({side, "first limit",
                      first_now.index.empty() ? first_now.table : first_now.index,
                      first_before.least_calls_per_second, first_now.least_calls_per_second,
                      "The first limit fell: it is " + first_now.sentence + "; it was " +
                          first_before.sentence + "."});
  }

  void AddRise(std::size_t side, std::string what, const std::string& where, double before,
               double now) {
    std::string sentence =
        where + ": " + what + " rose from " + NumberText(before) + " to " + NumberText(now) + ".";
    found_.push_back({side, std::move(what), where, before, now, std::move(sentence)});
  }

  const Comparison& comparison_;
  const Tolerance& tolerance_;
  double tolerated_usd_ = 0;
  std::vector<Regression> found_;
};

}  // namespace

std::vector<Regression> FindRegressions(const Comparison& comparison, const CompareInput& input) {
  return RegressionSearch(comparison, input).Run();
}

}  // namespace hashrange
