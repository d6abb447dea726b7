// The JSON of a request in lines for people. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"

namespace hashrange {

// Returns the JSON in lines of at most `width` columns, unless one text in it is longer: what fits
// into a line stays there, and what does not has a line for each member or element. Nothing is cut
// and no text is divided. `json` is that of ReadableRequest, so it may have a "…" where no JSON has
// one. The lines are readable text (readable_text.h).
std::vector<std::string> RequestLines(std::string_view json, std::size_t width);

// Returns what the step does besides its request: "GetItem shop", "Query shop / GSI1, once for each
// of 8 shards, page by page until 20 items were returned".
std::string StepTitle(const PlanStep& step);

}  // namespace hashrange
