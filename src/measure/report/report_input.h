// ReportInput: one measurement and what was computed from it, as the three reports show it. Whoever
// asks for a report fills it; the reports compute only sums, shares and differences. Plain data.
//
// A method is one of three words: "measured" (counted, and multiplied by prices at most),
// "modelled" (what another design would have taken, or rules of thumb say), "extrapolated" (carried
// beyond the time or the rate that was measured).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

// What one table or index adds to the price of a million calls.
struct ReportedResourceCost {
  std::string table = {};
  std::string index = {};
  double read_usd_per_million = 0;
  double write_usd_per_million = 0;
};

struct ReportedPatternCost {
  std::string pattern = {};  // its id
  double usd_per_million = 0;
  std::vector<ReportedResourceCost> resources = {};
};

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

// What stops growth first, at one table or index.
struct ReportedFirstLimit {
  double least_calls_per_second = 0;  // of this mix; the two differ by the error of the counters
  double most_calls_per_second = 0;
  std::string table = {};
  std::string index = {};
  std::string key = {};        // or "partition 3"; empty: throughput or a quota
  std::string direction = {};  // "read", "write"
  double limit_units_per_second = 0;
  double new_table_calls_per_second = 0;  // of a quota on demand, when the table was just made
  std::string sentence = {};  // "at 4,100 calls/s of this mix: GSI1, key CUSTOMER, writes"
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
  std::vector<ReportedPatternCost> pattern_costs = {};
  ReportedMonth month = {};
  std::vector<ReportedFirstLimit> first_limits = {};  // the smallest first
  std::string first_limit_assumption = {};
  std::vector<std::string> rates_without_calls = {};  // declared, but no pattern has such calls
  std::vector<ReportedFinding> findings = {};         // the worst first
  std::vector<ReportedGap> not_assessed = {};
  std::uint64_t clean_rules = 0;  // rules that found nothing
  std::vector<ReportedAssumption> assumptions = {};
};

}  // namespace hashrange
