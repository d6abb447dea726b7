// The plan of an access pattern as JSON. Pure function; any thread.
#pragma once

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes how the pattern is served, why, and its requests, as members of an object that is begun.
// The JSON of a request is a text, since it may have a "…" where no JSON has one.
void WritePlanMembers(const LabFile& file, const PatternPlan& plan, JsonWriter& writer);

}  // namespace hashrange
