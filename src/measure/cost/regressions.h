// Finds in a comparison what got worse than in the first measurement. Used by compare.cc only. A
// pure function; any thread.
#pragma once

#include <vector>

#include "measure/cost/compare.h"

namespace hashrange {

// Returns the regressions of every measurement after the first: of patterns, then of storage, then
// of the first limit. A pattern or index that is new has none.
std::vector<Regression> FindRegressions(const Comparison& comparison, const CompareInput& input);

}  // namespace hashrange
