// Plans as text, for tests that compare them whole.
#pragma once

#include <string>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/run_file.h"

namespace hashrange {

// Returns a plan: a line for what it is, then a line each for the requests (>), reasons (+) and
// rejections (-).
std::string PlanText(const LabFile& file, const PatternPlan& plan);
// Returns what a pattern is expected to take in a layout.
PatternCost CostOfPattern(const LabFile& file, const std::string& pattern, int layout = 0);
// Returns all plans, tables and findings of all layouts.
std::string AllPlansText(const LabFile& file);

}  // namespace hashrange
