// The verdict of a lab: which of its layouts to take, why, at what cost, and what breaks first. A
// pure function; any thread.
// What is taken is ChooseLayout's. A run that was interrupted has no verdict, as its figures are of
// a part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/report/lab_figures.h"
#include "lab/report/lab_limits.h"
#include "lab/report/layout_choice.h"

namespace hashrange {

struct LabVerdict {
  std::optional<LayoutChoice> choice = {};  // nothing: no layout was run, or a run was interrupted
  std::string headline = {};                // one or two sentences
  std::vector<std::string> reasons = {};    // what speaks against it, and about each other layout

  // Returns the layout that is taken, of LabFigures::layouts.
  std::optional<std::size_t> layout() const {
    return choice ? std::optional(choice->layout) : std::nullopt;
  }
};

// Returns the verdict. `file` is the one whose layouts were run.
LabVerdict JudgeLayouts(const LabFile& file, const LabFigures& figures,
                        const std::vector<LabViolation>& violations);

// Returns in words how the verdict is found, for readers of a report.
std::string VerdictRule();

}  // namespace hashrange
