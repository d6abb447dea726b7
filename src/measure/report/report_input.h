// ReportInput: one measurement and what was computed from it, as the three reports show it. The
// reports compute only sums, shares and differences. Plain data.
//
// A method is one of three words: "measured" (counted, and multiplied by prices at most),
// "modelled" (what another design would have taken, or rules of thumb say), "extrapolated" (carried
// beyond the time or the rate that was measured).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measure/cost/assessment.h"
#include "measure/measurement.h"

namespace hashrange {

// One line of a month's bill.
struct ReportedCostLine {
  std::string what = {};     // "writes", "storage"
  std::string table = {};    // empty: of all tables
  std::string index = {};    // empty: of the table itself
  std::string billing = {};  // "on demand", "provisioned"
  double quantity = 0;
  std::string unit = {};  // "million write units"
  double usd = 0;
  std::string method = {};
};

// A way to pay for the month, storage and streams included.
struct ReportedPlan {
  std::string name = {};  // "on demand", "provisioned with autoscaling", "as the tables are now"
  double usd = 0;
  bool is_modelled = false;         // capacity that nobody has set is a model's
  double units_above_capacity = 0;  // of a month: what the capacity does not serve
};

struct ReportedMonth {
  // Where the month's calls come from ("from the declared rates"), or why there is no month.
  std::string basis = {};
  std::vector<ReportedPlan> plans = {};
  std::vector<ReportedCostLine> lines = {};  // empty: there is no month
};

struct ReportedFinding {
  std::string rule = {};      // "scan"
  std::string severity = {};  // "severe", "warning", "hint"
  std::string what = {};      // what is wrong: a sentence
  std::string where = {};     // "shop / GSI1, GSI1PK=CUSTOMER"
  std::string evidence = {};  // the figures that were seen: a sentence
  std::string cost = {};      // "US$ 0.62 per million calls"; empty: the rule has no price
  std::string advice = {};    // what to do: a sentence
  std::string method = {};
};

// A rule that said nothing, because nothing was seen that it could judge.
struct ReportedGap {
  std::string rule = {};
  std::string why = {};
};

struct ReportedAssumption {
  std::string sentence = {};
  std::string method = {};
};

struct ReportInput {
  std::string title = {};  // how the measurement is called beside others; empty: by its own name
  Measurement measurement = {};
  std::vector<PatternPrice> pattern_costs = {};
  ReportedMonth month = {};
  std::vector<LimitRow> first_limits = {};  // the smallest first
  std::string first_limit_assumption = {};
  std::vector<std::string> rates_without_calls = {};  // declared, but no pattern has such calls
  std::vector<ReportedFinding> findings = {};         // the worst first
  std::vector<ReportedGap> not_assessed = {};
  std::uint64_t clean_rules = 0;  // rules that found nothing
  std::vector<ReportedAssumption> assumptions = {};
};

// Returns what the reports show of an assessment. Pure functions; any thread.
ReportInput MakeReportInput(const Assessment& assessment);
std::vector<ReportInput> MakeReportInputs(std::span<const Assessment> assessments);

}  // namespace hashrange
