#include "lab/report/unit_spread_text.h"

#include <algorithm>

#include "measure/number_text.h"

namespace hashrange {
namespace {

// Returns what a Scan to the end takes with all of the data, ", about 828 with all of it"; empty
// where it was measured so, or where it may end before.
std::string WholeScanText(const ExplainedPattern& pattern) {
  const UnitSpread& read = pattern.read_units;
  const bool is_whole = std::ranges::any_of(pattern.plan.steps, [](const PlanStep& step) {
    return step.request.operation == "Scan" && step.is_paged && step.items == 0;
  });
  if (!is_whole || !(read.data_share < 1) || !(read.data_share > 0)) return {};
  return ", about " + NumberText(read.mean / read.data_share) + " with all of it";
}

}  // namespace

std::string SpreadText(const UnitSpread& units, std::string_view noun) {
  const std::string least = NumberText(units.least);
  const std::string greatest = NumberText(units.greatest);
  std::string text;
  if (least == greatest) {
    text = CountedText(units.least, noun);
  } else {
    text = least + " to " + greatest + ", mean " + CountedText(units.mean, noun);
  }
  if (units.is_computed) return text + " (computed)";
  text += " (measured, " + CountedText(static_cast<double>(units.calls), "call");
  if (units.data_share < 1) text += ", with " + PercentText(units.data_share) + " of the data";
  return text + ")";
}

std::string SpreadsText(const ExplainedPattern& pattern) {
  const UnitSpread& read = pattern.read_units;
  const UnitSpread& write = pattern.write_units;
  const auto is_known = [](const UnitSpread& units) {
    return units.is_computed || units.calls > 0;
  };
  if (!is_known(read) && !is_known(write)) return "units not known: no call succeeded";
  const std::string whole = WholeScanText(pattern);
  const bool has_reads = is_known(read) && read.greatest > 0;
  const bool has_writes = is_known(write) && write.greatest > 0;
  if (has_reads && has_writes) {
    return SpreadText(read, "read unit") + whole + ", " + SpreadText(write, "write unit");
  }
  if (has_writes) return SpreadText(write, "write unit");
  return SpreadText(is_known(read) ? read : write, is_known(read) ? "read unit" : "write unit") +
         whole;
}

}  // namespace hashrange
