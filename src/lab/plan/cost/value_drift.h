// How often a condition holds while the file's patterns write the attribute that it is about: of
// 100 tickets of which 30 are OPEN, fewer are after some calls of `set: {status: CLOSED}`.
//
// The share follows from how often each band of ranks is written, and by what: a write gives a
// value that does not depend on the one before; what a pattern writes where the attribute has a
// certain value (`if`, `pick: {where: …}`) takes from the instances with that value alone; the
// rates of all phases are spread evenly over the traffic, and other attributes do not count. What
// the traffic creates has what its `create` gives, and is not followed further. Pure functions.
#pragma once

#include "lab/plan/cost/file_model.h"

namespace hashrange {

// Returns which share of the instances that the pattern's calls have in the role meets the
// condition before the call, by the average call of the traffic. The condition is about the role's
// entity; of one about another entity, all instances of that one count alike.
double ShareBeforeCall(const FileModel& model, int pattern, int role,
                       const LabCondition& condition);

}  // namespace hashrange
