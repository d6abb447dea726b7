// Growth in money and words: what a layout costs after months of the declared traffic, which of its
// patterns take more by then, and what no longer works. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plan/layout_growth.h"
#include "lab/report/lab_billing.h"
#include "lab/report/lab_sections.h"
#include "measure/cost/throughput_load.h"

namespace hashrange {

inline constexpr std::string_view kGrowthHeading =
    "After months of the declared traffic, as expected; of patterns, units a call";
inline constexpr std::size_t kMostGrownInText = 3;  // patterns of each layout in a terminal

// A layout whose growth is told, with a stage at least; what the pointers show outlives it.
struct GrownLayout {
  const LabFile* file = nullptr;
  const LabLayout* layout = nullptr;
  const LayoutGrowth* growth = nullptr;
};
// Returns nothing where the growth has no stages, or the file no such layout.
std::optional<GrownLayout> GrownLayoutOf(const LabFile& file, const std::string& name,
                                         const LayoutGrowth& growth);
std::vector<GrownLayout> GrownLayoutsOf(const LabView& view);

// What one stage of the growth costs.
struct GrowthCost {
  double months = 0;
  double stored_bytes = 0;
  double storage_usd = 0;  // a month
  // A month of the declared rates, each table as it declares to be billed, storage included.
  double month_usd = 0;
  double units_above_capacity = 0;  // of a month: what declared capacity would not serve
};
std::vector<GrowthCost> CostsOfGrowth(const GrownLayout& layout);

// Returns the load of the declared rates, one for each table and global index, by what the calls
// are expected to take; for an hour. `patterns` has the costs of a stage.
std::vector<ThroughputLoad> ExpectedLoads(const GrownLayout& layout,
                                          const std::vector<PatternCost>& patterns);

// Returns the month of the layout now, on demand and provisioned, by what is expected.
BillingFigures ExpectedBilling(const GrownLayout& layout);

// Returns what no longer works, or changes, in the course of the growth, a sentence each: item
// collections above 10 GB, items above 400 KB, too little capacity, patterns that are left out.
std::vector<std::string> GrowthSentences(const GrownLayout& layout);
// Returns those of them for which writes fail: of collections in tables with a local index, and of
// items.
std::vector<std::string> OutgrownSentences(const GrownLayout& layout);

// Returns for each layout a table and its sentences; at most `most_patterns` of those that come to
// take more.
ReportParts PartsOfGrowth(const std::vector<GrownLayout>& layouts, std::size_t most_patterns);

// Writes the member "growth"; null where there is none.
void WriteGrowthMember(const std::optional<GrownLayout>& grown, JsonWriter& writer);

}  // namespace hashrange
