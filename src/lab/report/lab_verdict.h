// The verdict of a lab: which of its layouts to take, why, at what cost, and what breaks first. A
// pure function; any thread.
//
// A run that was interrupted has no verdict, as its figures are of a part. Of the layouts, those
// are left that keep every item, then those that can serve every pattern; of these, those that
// served a call of each pattern that was called; of these, those that carry the declared rates; of
// these, those that hold the file's limits, and whose month has every pattern. A step that would
// leave none is left out. Of the rest, the cheapest month wins, and of equal months, the one whose
// first limit is further away.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/report/lab_figures.h"
#include "lab/report/lab_limits.h"

namespace hashrange {

struct LabVerdict {
  // Of LabFigures::layouts; nothing: none was run, or a run was interrupted.
  std::optional<std::size_t> layout = {};
  std::string headline = {};              // one or two sentences
  std::vector<std::string> reasons = {};  // what speaks against it, and about each other layout
};

LabVerdict JudgeLayouts(const LabFigures& figures, const std::vector<LabViolation>& violations);

// Returns in words how the verdict is found, for readers of a report.
std::string VerdictRule();

}  // namespace hashrange
