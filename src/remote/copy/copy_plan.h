// CopyPlan: which tables a copy has, before anything is written. What would go wrong later is found
// here as far as possible: a table that is not there, one that is there already, costs that nobody
// has allowed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "remote/copy/copy_cost.h"
#include "remote/copy/copy_request.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/endpoint_tables.h"
#include "remote/copy/patient_call.h"

namespace hashrange {

struct CopyPlan {
  CopyState state;
  std::vector<PlannedTable> tables;  // in the order of the state's tables
};

// Returns the plan of a new copy. `to` is null for a folder.
// Errors: ValidationException  a table of the request is not at the source, two tables would get
//                              one name, a table exists at the destination, or its key differs;
//                              those of the calls
Result<CopyPlan> PlanCopy(const CopyRequest& request, const PatientCaller& from,
                          const PatientCaller* to);

// Returns the plan of a copy that is continued, for what an earlier run has left as `state`.
// Errors: ValidationException  the request is of another copy, or a table is no longer there
Result<CopyPlan> PlanContinuation(const CopyRequest& request, CopyState state,
                                  const PatientCaller& from, const PatientCaller* to);

// Tells the user what the copy costs, where it costs anything.
// Errors: ValidationException  the user has not allowed that much
Status CheckCost(const CopyRequest& request, const CopyPlan& plan);

// Returns how sentences name the destination.
std::string DestinationName(const CopyRequest& request);

}  // namespace hashrange
