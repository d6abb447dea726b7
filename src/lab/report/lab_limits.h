// The check of a lab's limits against its figures. A pure function; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/report/lab_figures.h"

namespace hashrange {

struct LabViolation {
  std::size_t layout = 0;     // of LabFigures::layouts
  std::string sentence = {};  // "sharded: headroom 3.1 is below 5 (first limit: …)"
  std::string what = {};      // "headroom 3.1 is below 5"
};

// Returns the limits that a layout asks for: the limits for all layouts, each member of which the
// layout's own limits may replace.
LabLimits LimitsOfLayout(const LabFile& file, const std::string& layout);

// Returns what exceeds the limits, layout by layout. A limit that nothing can be compared with is a
// violation, too, and so is that a layout with limits was stopped before its end.
std::vector<LabViolation> CheckLabLimits(const LabFile& file, const LabFigures& figures);

}  // namespace hashrange
