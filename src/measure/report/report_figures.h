// What all reports show alike: sums, shares and figures for one call, computed from a ReportInput.
// Pure functions; the results point into the input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/pattern_sums.h"
#include "measure/report/report_input.h"

namespace hashrange {

// The whole measurement.
struct MixFigures {
  std::uint64_t calls = 0;
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t throttled = 0;
  double read_units = 0;  // of successful calls
  double write_units = 0;
  double failed_read_units = 0;
  double failed_write_units = 0;
  double usd_per_million_calls = 0;
  std::uint64_t items = 0;
  double table_bytes = 0;
  double index_bytes = 0;
  std::int64_t covered_ms = 0;
  double month_usd = 0;
};

// The patterns of one name, added up, or a pattern without a name.
struct PatternFigures {
  const PatternMeasure* pattern = nullptr;  // the sum (measure/pattern_sums.h)
  std::vector<std::string> ids = {};        // of all its patterns
  std::string label = {};                   // its name, or its text
  double read_units_a_call = 0;
  double write_units_a_call = 0;
  double usd_per_million = 0;
  double usd_of_mix = 0;  // what it adds to a million calls of the mix
  double share_of_cost = 0;
  double vector_bytes_searched_a_call = 0;
  double vector_bytes_written_a_call = 0;
  double examined_per_returned = -1;  // below 0: it read nothing, or returned nothing
  std::vector<ResourcePrice> resource_costs = {};
};

// A table or an index.
struct ResourceFigures {
  std::string table = {};
  std::string index = {};
  std::string label = {};                    // "shop", "shop / GSI1"
  const ResourceMeasure* measure = nullptr;  // null: nothing was read or written
  double read_units = 0;
  double write_units = 0;
  double read_units_a_call = 0;  // of the whole mix
  double write_units_a_call = 0;
  std::uint64_t items = 0;
  double size_bytes = 0;
  bool is_deleted = false;  // what it stored is not known
  // The greatest share that one partition key has of the read units or of the write units, scans
  // included; 0 where fewer units were seen than a share needs, or no key was.
  double hottest_key_share = 0;
};

// A measurement with its figures.
struct ReportView {
  const ReportInput* input = nullptr;
  std::string title = {};
  bool is_one_of_several = false;
  MixFigures mix = {};
  std::shared_ptr<const std::vector<NamedPattern>> named = {};  // what `patterns` point to
  std::vector<PatternFigures> patterns = {};                    // those that cost most first
  std::vector<ResourceFigures> resources = {};                  // each table, then its indexes

  const Measurement& measurement() const { return input->measurement; }
  bool HasMonth() const { return !input->month.lines.empty(); }
  // Returns the caption with the name of the measurement, if there are several.
  std::string Caption(const std::string& caption) const {
    return is_one_of_several ? title + ": " + caption : caption;
  }
};

// The patterns of one name in one of several measurements, added up.
struct ComparedFigures {
  std::uint64_t calls = 0;
  std::vector<ResourceUnits> units = {};
  double read_units_a_call = 0;
  double write_units_a_call = 0;
  double usd_per_million = 0;
  double usd_of_mix = 0;
  double share_of_cost = 0;
};

// A pattern in several measurements (measure/cost/compare.h).
struct ComparedPattern {
  std::string label = {};
  // One for each measurement; nothing: the measurement has no such pattern.
  std::vector<std::optional<ComparedFigures>> figures = {};
};

// Returns the inputs with their figures, in order. The inputs have to outlive the views.
std::vector<ReportView> ViewsOf(std::span<const ReportInput> inputs);

// Returns all patterns of the measurements: in the order of what they cost in the first, then those
// that are new.
std::vector<ComparedPattern> ComparePatterns(std::span<const ReportView> views);

// Returns "shop" or "shop / GSI1".
std::string ResourceLabel(const std::string& table, const std::string& index);

// Return the number of stored items and their size; "deleted" for what is stored no more.
std::string ItemsText(const ResourceFigures& resource);
std::string SizeText(const ResourceFigures& resource);

// Returns what a month costs under each plan: "A month, from the declared rates: on demand
// US$ 39.42; provisioned with autoscaling US$ 5.84 (modelled); as the tables are now US$ 39.42". A
// plan with less capacity than the load needs says so. Without plans the text says why there is
// none.
std::string MonthText(const ReportedMonth& month);

// Returns the requests of each caller that named itself (its SDK's app id), the most first.
std::vector<NamedCount> CallersOf(const Measurement& measurement);

// Adds counts to the sums of the same names.
void AddToCounts(const std::vector<NamedCount>& counts, std::vector<NamedCount>& sums);

// Returns the sum of all counts.
std::uint64_t SumOf(const std::vector<NamedCount>& counts);

// Returns how many findings have a severity: "severe", "warning" or "hint".
std::size_t FindingsOf(const ReportInput& input, const std::string& severity);

// Returns "1 severe, 2 warnings, no hint".
std::string FindingCountsText(const ReportInput& input);

}  // namespace hashrange
