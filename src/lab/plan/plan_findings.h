// The design rules that a lab file can contradict by itself (docs/service/21-layout-lab.md, section
// 5, rules 39 to 42). Pure functions; any thread.
#pragma once

#include <vector>

#include "lab/plan/layout_plan.h"
#include "lab/plan/planner.h"

namespace hashrange {

// Returns what the layout's patterns, as planned, and its keys contradict.
std::vector<PlanFinding> FindPlanFindings(const PlannerInput& input,
                                          const std::vector<PatternPlan>& plans);

}  // namespace hashrange
