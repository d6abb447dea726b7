#include "lab/report/unit_spread_text.h"

#include "measure/number_text.h"

namespace hashrange {

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
  return text + " (measured, " + CountedText(static_cast<double>(units.calls), "call") + ")";
}

std::string SpreadsText(const ExplainedPattern& pattern) {
  const UnitSpread& read = pattern.read_units;
  const UnitSpread& write = pattern.write_units;
  const auto is_known = [](const UnitSpread& units) {
    return units.is_computed || units.calls > 0;
  };
  if (!is_known(read) && !is_known(write)) return "units not known: no call succeeded";
  const bool has_reads = is_known(read) && read.greatest > 0;
  const bool has_writes = is_known(write) && write.greatest > 0;
  if (has_reads && has_writes) {
    return SpreadText(read, "read unit") + ", " + SpreadText(write, "write unit");
  }
  if (has_writes) return SpreadText(write, "write unit");
  return SpreadText(is_known(read) ? read : write, is_known(read) ? "read unit" : "write unit");
}

}  // namespace hashrange
