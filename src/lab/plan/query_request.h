// The requests of a read: GetItem, BatchGetItem, TransactGetItems, Query and Scan as templates.
// Pure functions; any thread.
#pragma once

#include <vector>

#include "lab/plan/layout_plan.h"
#include "lab/plan/plan_choice.h"

namespace hashrange {

// Returns the steps of a read that was chosen.
std::vector<PlanStep> StepsOfRead(const ReadQuestion& question, const ReadCandidate& candidate);

}  // namespace hashrange
