// The stages of PlanLayout (layout_plan.h), each in a file of its own; reads are planned by
// PlanRead (read/read_planner.h). Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {

// create_table_request.cc: return the input of CreateTable, and of UpdateTimeToLive for a table
// that has a ttl_attribute.
std::string CreateTableRequest(const LabTable& table);
std::string UpdateTimeToLiveRequest(const LabTable& table);

// layout_plan.cc: returns how the layout serves a pattern, in the cheaper one of its forms.
// Errors: ValidationException  a request of `serve:` cannot be understood
Result<PatternPlan> PlanPattern(const LayoutModel& model, int pattern);

// write_requests.cc: returns how the layout serves a write.
PatternPlan PlanWrite(const LayoutModel& model, int pattern);

// declared_plan.cc: returns the plan of the requests that a layout says itself (`serve:`), in
// DynamoDB's own JSON with placeholders of what the caller knows. Each gets ReturnConsumedCapacity
// where it has none. A Query or a Scan without Limit is read to the end, or until the pattern's
// limit.
// Errors: ValidationException  an operation that the lab does not make, JSON that cannot be read, a
//         table or an index that the layout does not have, or a placeholder that the caller does
//         not know; the sentence has the request's place
Result<PatternPlan> PlanDeclared(const LayoutModel& model, const LabServe& serve);

// plan_findings.cc: returns which design rules the layout's patterns, as planned, and its keys
// contradict (docs/service/21-layout-lab.md, section 5, rules 39 to 42).
std::vector<PlanFinding> FindPlanFindings(const PlannerInput& input,
                                          const std::vector<PatternPlan>& plans);

}  // namespace hashrange
