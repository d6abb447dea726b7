// What a read that was found possible is expected to cost: by the distribution of the items that
// its key condition meets, page by page. Pure functions; any thread.
#pragma once

#include "lab/plan/read/plan_choice.h"
#include "lab/plan/read/read_question.h"
#include "lab/plan/request/pattern_cost.h"

namespace hashrange {

// Returns what one call takes: of the key that is read, and of the table where items are fetched
// from it.
PatternCost CostOfRead(const ReadQuestion& question, const ReadCandidate& candidate);

}  // namespace hashrange
