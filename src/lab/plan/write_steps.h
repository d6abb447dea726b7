// WriteSteps: the requests by which actions on items are made: single ones, batches, transactions.
// Pure functions; any thread.
#pragma once

#include <vector>

#include "lab/plan/layout_plan.h"
#include "lab/plan/write_actions.h"

namespace hashrange {

// The most actions of a TransactWriteItems, and of a BatchWriteItem.
inline constexpr int kMostTransactionActions = 100;
inline constexpr int kMostBatchActions = 25;

// Appends the steps of the actions to the plan, and the reasons for them.
void AppendWriteSteps(const PlannerInput& input, const LabPattern& pattern,
                      const WriteActions& actions, PatternPlan& plan);

}  // namespace hashrange
