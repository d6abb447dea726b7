#include <string>

#include "lab/plan/planner.h"
#include "lab/plan/write_actions.h"
#include "lab/plan/write_steps.h"

namespace hashrange {

PatternPlan PlanWrite(const PlannerInput& input, int pattern, const CallShape& shape) {
  const LabPattern& asked = input.file.patterns[static_cast<std::size_t>(pattern)];
  const WriteActions actions(input, asked, shape);
  PatternPlan plan = {.pattern = pattern};
  plan.impossible = actions.impossible();
  if (!plan.impossible.empty()) return plan;
  plan.service = actions.service();
  plan.steps = actions.lookups();
  plan.reasons = actions.reasons();
  plan.rejected = actions.rejected();
  plan.unknown = actions.unknown();
  AppendWriteSteps(input, asked, actions, plan);
  if (plan.reasons.empty() && !plan.steps.empty()) plan.reasons.push_back(actions.ReasonOfKey());
  // Reasons stand in lists, and have no full stop there.
  for (std::string& reason : plan.reasons) {
    if (reason.ends_with('.')) reason.pop_back();
  }
  return plan;
}

}  // namespace hashrange
