// The notes below the figures of a lab: what was left out, stopped or thinned, and how the figures
// came about. Used by lab_figures.cc only. A pure function.
#pragma once

#include <string>
#include <vector>

#include "lab/report/lab_figures.h"

namespace hashrange {

// Returns sentences, those that most change what the figures say first.
std::vector<std::string> LabNotes(const LabFile& file, const LabResult& result,
                                  const LabFigures& figures);

}  // namespace hashrange
