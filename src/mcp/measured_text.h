// What a measurement says, as texts for an agent. Pure functions; any thread.
#pragma once

#include <string>

#include "measure/cost/assessment.h"
#include "measure/measurement.h"

namespace hashrange {

// Returns the entities of a table, the templates of their keys, and its largest item collections.
std::string StoredText(const Measurement& measurement);

// Returns a line for each finding, the worst first: what to do about it. The evidence is in the
// report. Empty: nothing was found.
std::string AdviceLines(const Assessment& assessment);

}  // namespace hashrange
