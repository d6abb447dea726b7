// DeclaredPlan: the requests that a layout says itself (`serve:`), in DynamoDB's own JSON with
// placeholders of what the caller knows. Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/planner.h"

namespace hashrange {

// Returns the plan that consists of these requests. Each gets ReturnConsumedCapacity where it has
// none. A Query or a Scan without Limit is read to the end, or until the pattern's limit.
// Errors: ValidationException  an operation that the lab does not make, JSON that cannot be read, a
//         table or an index that the layout does not have, or a placeholder that the caller does
//         not know; the sentence has the request's place
Result<PatternPlan> PlanDeclared(const PlannerInput& input, const LabServe& serve,
                                 const CallShape& shape);

}  // namespace hashrange
