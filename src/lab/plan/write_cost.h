// What the actions of a write are expected to cost: the units of each item that is written, and of
// each entry of an index that this adds, changes or removes. Pure functions; any thread.
//
//   units   docs/service/08-capacity.md, section 2; docs/service/10-transactions.md, section 8
#pragma once

#include <vector>

#include "lab/plan/cost/layout_model.h"
#include "lab/plan/request/pattern_cost.h"
#include "lab/plan/write_actions.h"

namespace hashrange {

struct PlannedAction {
  const WriteAction* action = nullptr;
  bool is_in_transaction = false;  // which doubles what the table takes
};

// Returns what one call takes for its actions, look-ups and the number of requests aside.
PatternCost CostOfActions(const WriteCall& call, const std::vector<PlannedAction>& actions);

}  // namespace hashrange
