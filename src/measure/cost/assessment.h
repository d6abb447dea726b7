// Assessment: everything that is said of a measurement: costs, first limits and findings, under
// what its user declares. Reports, budgets and comparisons start from it. Pure functions; any
// thread.
//
//   {"names": [{"name": "orders of a customer", "operation": "Query", "index": "GSI1"}],
//    "rates": {"orders of a customer": 120},
//    "prices": {…}, "profile": "single-table"}
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/call_rates.h"
#include "measure/cost/budgets.h"
#include "measure/cost/compare.h"
#include "measure/cost/cost.h"
#include "measure/cost/first_limit.h"
#include "measure/cost/price_list.h"
#include "measure/measurement.h"
#include "measure/pattern_names.h"
#include "measure/rules/findings.h"
#include "wire/json.h"

namespace hashrange {

// What the user declares beside the measurement.
struct AssessmentOptions {
  std::vector<PatternMatch> names = {};
  std::vector<CallRate> rates = {};
  PriceList prices = BuiltInPrices();
  RuleProfile profile = RuleProfile::kSingleTable;
};

// Returns the options in a JSON object, every member of which is optional.
// Errors: ValidationException  a member has another type or is not known
Result<AssessmentOptions> ReadAssessmentOptions(const JsonValue& json, std::string_view place);

struct Assessment {
  Measurement measurement;  // with its patterns named
  Costs costs;
  std::vector<LimitRow> limits;
  DesignFindings findings;
};

// Returns the assessment of the measurement, whose patterns it names first.
Assessment Assess(Measurement measurement, const AssessmentOptions& options);

// Returns the measurements side by side, after it has named their patterns. The first is the
// baseline.
Comparison CompareNamed(std::vector<Measurement> measurements, const AssessmentOptions& options);

// Leaves the first limits and the findings of modelled partitions out of both assessments where the
// what-if lacks a map that the other has. A design that only lost its map has not become better.
void LeaveOutLostPartitions(Assessment& as_is, Assessment& what_if);

// Returns what exceeds the budgets. Their names come before the names of the options, and their
// rates replace the rates of the options.
std::vector<BudgetViolation> CheckBudgets(Measurement measurement, const Budgets& budgets,
                                          AssessmentOptions options);

}  // namespace hashrange
