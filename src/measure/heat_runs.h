// HeatRun: neighbouring hash ranges with the same units, as a measurement's JSON has them. A scan
// heats all ranges alike, and so is one run. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

struct HeatRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  double read_units = 0;  // of each range
  double write_units = 0;
};

// Returns the runs of the ranges, in their order. Precondition: the ranges ascend.
std::vector<HeatRun> HeatRunsOf(const std::vector<HeatRange>& ranges);

// Returns the ranges of the runs; nothing if the runs do not ascend, or leave the 4,096 ranges.
std::optional<std::vector<HeatRange>> HeatRangesOf(const std::vector<HeatRun>& runs);

}  // namespace hashrange
