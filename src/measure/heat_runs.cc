#include "measure/heat_runs.h"

namespace hashrange {

std::vector<HeatRun> HeatRunsOf(const std::vector<HeatRange>& ranges) {
  std::vector<HeatRun> runs;
  for (const HeatRange& heat : ranges) {
    const bool continues = !runs.empty() && runs.back().last + 1 == heat.range &&
                           runs.back().read_units == heat.read_units &&
                           runs.back().write_units == heat.write_units;
    if (continues) {
      runs.back().last = heat.range;
    } else {
      runs.push_back({heat.range, heat.range, heat.read_units, heat.write_units});
    }
  }
  return runs;
}

std::optional<std::vector<HeatRange>> HeatRangesOf(const std::vector<HeatRun>& runs) {
  std::vector<HeatRange> ranges;
  for (const HeatRun& run : runs) {
    const bool ascends = ranges.empty() || ranges.back().range < run.first;
    if (!ascends || run.first > run.last || run.last >= kHashRanges) return std::nullopt;
    for (std::uint32_t range = run.first; range <= run.last; ++range) {
      ranges.push_back({range, run.read_units, run.write_units});
    }
  }
  return ranges;
}

}  // namespace hashrange
