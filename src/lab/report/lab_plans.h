// How access patterns are served, for people: the requests of a plan, and what they take. Pure
// functions; any thread. Used by the reports of a lab only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plan/layout_plan.h"
#include "lab/report/lab_sections.h"
#include "lab/run/explanation.h"

namespace hashrange {

// Returns what the section of a page shows: for each pattern, how each layout serves it.
ReportParts PlanParts(const LabView& view);

// Returns what the step does besides its request: "GetItem shop", "Query shop / GSI1, once for each
// of 8 shards, page by page until 20 items were returned".
std::string StepTitle(const PlanStep& step);

// Returns the JSON in lines of at most `width` columns, unless one text in it is longer: what fits
// into a line stays there, and what does not has a line for each member or element. Nothing is cut
// and no text is divided. `json` comes from ReadableStep, so it may have a "…" where no JSON has
// one. The lines are readable text (readable_text.h).
std::vector<std::string> RequestLines(std::string_view json, std::size_t width);

// Returns "0.5 read units (computed)", or "2 to 7.5, mean 3.1 read units (measured, 100 calls)".
// `noun` is "read unit" or "write unit".
std::string SpreadText(const UnitSpread& units, std::string_view noun);

// Returns the read units and the write units of a call, or only the units that it takes.
std::string SpreadsText(const ExplainedPattern& pattern);

}  // namespace hashrange
