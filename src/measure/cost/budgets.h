// Budgets: what the calls of an application may take, as a file that is checked in with it. A run
// of its tests is measured and compared with the file, and fails when a pattern takes more. Pure
// functions; any thread.
//
//   {"patterns": {"orders of a customer": {"read_units": {"p99": 1}, "examined_per_returned": 1.5},
//                 "*": {"errors": 0, "usd_per_million": 5}},
//    "no_scans": true,
//    "tables": {"shop": {"usd_per_month": 40, "largest_collection_bytes": 5000000}},
//    "first_limit": 500, "findings": {"severe": 0},
//    "names": [{"name": "orders of a customer", "operation": "Query", "index": "GSI1"}],
//    "rates": {"orders of a customer": 120}}
//
// Every member may be left out. A pattern is meant by its name, its id, its text or its operation;
// `*` means every pattern, except for the members that the pattern's own budget has. The sizes
// read_units, write_units, items_examined, items_returned, bytes_examined, bytes_returned and pages
// are of a call, and limit p50, p95, p99, max or mean; a number alone limits max. The shares
// errors, throttled and failed_conditions are of the requests, 0 to 1, or more where a request has
// several members that fail. vector_bytes_searched and vector_bytes_written are of a call, in the
// mean. The first limit is one that is reproducible: it is not of a partition
// that was modelled. Likewise, findings of the rule "hot-partition" are not counted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/call_rates.h"
#include "measure/cost/price_list.h"
#include "measure/measurement.h"
#include "measure/pattern_names.h"
#include "measure/rules/findings.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

struct BudgetLimit {
  std::string metric = {};     // "read_units", "errors", "size_bytes"
  std::string statistic = {};  // "p50", "p95", "p99", "max", "mean"; empty for a single figure
  double allowed = 0;          // at most
};

// The limits of a pattern, a table or the findings.
struct Budget {
  std::string subject = {};
  std::vector<BudgetLimit> limits = {};
};

struct Budgets {
  std::vector<PatternMatch> names = {};  // given before anything is checked
  std::vector<CallRate> rates = {};
  std::vector<Budget> patterns = {};
  bool no_scans = false;
  std::vector<Budget> tables = {};
  double first_limit = 0;  // calls a second of the mix, at least; 0: any
  Budget findings = {};    // each metric is a severity; its limit is a number of findings
};

// Returns the budgets in a file.
// Errors: ValidationException  a member has another type or is not known; the sentence names it
Result<Budgets> ReadBudgets(const JsonValue& json);

struct BudgetInput {
  PriceList prices = BuiltInPrices();
  DesignFindings findings = {};
};

struct BudgetViolation {
  std::string what = {};   // "read_units p99"
  std::string where = {};  // a pattern's title, a table
  double is = 0;           // infinity where nothing was returned; 0 where `is` is not known
  double allowed = 0;
  std::string sentence = {};
};

// Returns what exceeds the budgets. A budget that nothing can be compared with is a violation, too:
// a pattern without calls, a table that was not measured, a month that was not computed. So a
// misspelt name does not pass for ever.
std::vector<BudgetViolation> CheckBudgets(Measurement measurement, const Budgets& budgets,
                                          const BudgetInput& input);

// Writes {"passed": …, "violations": [{"what", "where", "is", "allowed", "sentence"}]}. A figure
// that is infinite is null.
void WriteViolations(std::span<const BudgetViolation> violations, JsonWriter& writer);

}  // namespace hashrange
