// How a layout serves a read: a get or a query of a pattern, or what a write has to read first.
// Pure functions; any thread.
#pragma once

#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

// Returns how the layout serves a get, a query or a search.
PatternPlan PlanRead(const LayoutModel& model, int pattern);

// What a write has to read first.
struct WriteLookUp {
  int role = 0;                          // whose instances have the values that the caller knows
  int entity = kLabNone;                 // whose item is looked up
  bool is_of_children = false;           // all instances with these values, else one of them
  std::vector<LabAttributeRef> by = {};  // what the caller knows
  std::vector<LabAttributeRef> returns = {};  // what has to be known; empty: all
  std::vector<LabCondition> assumed = {};     // the write's conditions
};
// Returns the steps by which a call of the pattern finds it, as PlanRead does; the cost is that of
// one instance of the role.
PatternPlan PlanLookUp(const LayoutModel& model, int pattern, const WriteLookUp& look_up);

}  // namespace hashrange
