// LabFigures: all figures that the reports of a lab show, computed once from its result. Text,
// HTML, JSON and the check of limits show the same figures. Pure functions; any thread.
//
//   LabFigures ─┬─ layouts ── patterns      each layout at its smallest scale
//               ├─ scales                   units a call, by layout and scale
//               └─ notes                    what the reader has to know
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/report/lab_billing.h"
#include "lab/run/lab_result.h"
#include "lab/run/run_figures.h"
#include "measure/report/report_input.h"

namespace hashrange {

// Units of a call that succeeded, all of its requests together.
struct UnitsOfCalls {
  double mean = 0;
  double p99 = 0;
  double greatest = 0;
};

// The share of calls that were answered wrong, because of items with the same key: what is known of
// it. They are equal unless some answers may be wrong or not.
struct WrongShare {
  double least = 0;
  double most = 0;
  bool is_known = false;  // calls were judged; they are not where no items have the same key
};

// What one layout does for one pattern of the file.
struct LabPatternFigures {
  std::string name = {};
  // Null: the result has none of it.
  const PatternPlan* plan = nullptr;
  const PatternRun* run = nullptr;
  std::uint64_t succeeded = 0;  // calls whose units are known
  UnitsOfCalls read_units = {};
  UnitsOfCalls write_units = {};
  double searched_bytes = 0;  // of vectors, of a call that succeeded, on average
  double vector_write_bytes = 0;
  double requests_a_call = 0;
  double requests_p99 = 0;     // of calls that succeeded
  double throttled_share = 0;  // of requests
  double failed_share = 0;     // of calls
  WrongShare wrong = {};
  // Of the declared rate, on demand; nothing where no rate is declared or no call was served.
  std::optional<double> month_usd = {};

  bool HasCalls() const { return run && run->calls > 0; }
  // Whether calls were made, and none of them was served.
  bool HasOnlyFailures() const { return run && HasOnlyFailedCalls(*run); }
  bool IsImpossible() const { return plan && !plan->impossible.empty(); }
  // Whether the month lacks the pattern although it is possible and has a rate: no call was
  // served.
  bool HasUnknownCost() const {
    return run && run->declared_calls_per_second > 0 && !month_usd && !IsImpossible();
  }
};

struct LabMonth {
  double usd = 0;            // each table as it declares to be billed, storage included
  double on_demand_usd = 0;  // every table on demand, storage included
  double storage_usd = 0;
  double units_above_capacity = 0;  // of a month: what declared capacity would not serve
};

// The greatest item collection of all tables and indexes.
struct LabCollection {
  std::string table = {};
  std::string index = {};
  std::string key = {};
  double size_bytes = 0;
};

struct LabLayoutFigures {
  const LayoutRun* run = nullptr;
  std::string name = {};
  // What the sections of a measurement's report show. Findings of the plan stand among the others.
  ReportInput input = {};
  std::optional<DeclaredLimit> first_limit = {};
  std::optional<DeclaredLimit> key_limit = {};  // the first limit of a key or an item
  std::string month_basis = {};                 // where the month comes from, or why there is none
  std::optional<LabMonth> month = {};  // nothing: no rate is declared, or no call was served
  // Of the same units, over the day of the traffic; nothing: there is no month.
  std::optional<BillingFigures> billing = {};
  std::uint64_t requests = 0;  // those that thinning left out included
  double throttled_share = 0;  // of requests
  double failed_share = 0;     // of calls, after all attempts
  WrongShare wrong = {};
  ThrottlePlace throttle_place = {};  // of the run
  double greatest_factor = 1;         // of the traffic: a multiple of the declared rates
  std::uint64_t thin = 1;             // of the run
  // What makes writes fail within 36 months of the declared traffic, a sentence each.
  std::vector<std::string> outgrown = {};
  std::size_t indexes = 0;  // of all tables
  double table_bytes = 0;
  double index_bytes = 0;
  std::optional<LabCollection> largest_collection = {};
  std::vector<LabPatternFigures> patterns = {};  // of each pattern of the file, in its order

  // Whether no item took the place of another instance's, before the traffic and in it.
  bool KeepsEveryItem() const { return run->items_replaced == 0 && wrong.most == 0; }
  double StoredBytes() const { return table_bytes + index_bytes; }
  std::size_t FindingCount(const std::string& severity) const;
  // Whether the month has all patterns that have a rate and are possible.
  bool HasWholeMonth() const;
  // Whether a table is on demand, so that the first limit is one of warm tables and the run was one
  // of new ones.
  bool HasTableOnDemand() const;
};

// The patterns of one layout at one scale; they have neither plans nor months.
struct LabScaleFigures {
  std::uint64_t scale = 1;
  std::vector<LabPatternFigures> patterns = {};  // as LabLayoutFigures has them
};

struct LabLayoutScales {
  std::string name = {};
  std::vector<LabScaleFigures> scales = {};  // ascending
};

struct LabFigures {
  std::vector<LabLayoutFigures> layouts = {};  // in the order of the result
  // One for each layout, where any layout has several scales; else empty.
  std::vector<LabLayoutScales> scales = {};
  std::vector<std::string> notes = {};  // sentences
};

// Returns the figures. `file` and `result` outlive them.
LabFigures MakeLabFigures(const LabFile& file, const LabResult& result);

// Returns what the calls of the pattern did in the run; null when the run does not have the
// pattern.
const PatternRun* FindPatternRun(const LayoutRun& run, const std::string& pattern);

// Returns whether the units of the pattern, by its number, differ by 5 % between the scales of any
// layout, or are known at one of them and unknown at another.
bool UnitsDifferByScale(const LabFigures& figures, std::size_t pattern);

}  // namespace hashrange
