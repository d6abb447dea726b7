// Plans as text, for tests that compare them whole.
#pragma once

#include <string>
#include <string_view>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"

namespace hashrange {

// Returns the file of a text, which has to be right.
LabFile LabFileOf(std::string_view yaml);
// Returns the plan of the first layout, or of the layout of that place.
LayoutPlan LayoutPlanOf(const LabFile& file, int layout = 0);

// Returns a plan: a line for what it is, then a line each for the requests (>), reasons (+) and
// rejections (-).
std::string PlanText(const LabFile& file, const PatternPlan& plan);
// Returns all plans, tables and findings of all layouts.
std::string AllPlansText(const LabFile& file);

}  // namespace hashrange
