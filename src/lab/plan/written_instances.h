// WrittenInstances: which instances of a call one of its requests writes. Pure functions; the
// population is read by one thread at a time.
#pragma once

#include <vector>

#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/request_template.h"

namespace hashrange {

// Appends the instances for which the request that the call is about (SelectRequest) writes the
// item: those of the window, and what belongs to them.
void AppendWrittenInstances(const WrittenItem& item, const CallShape& shape,
                            const Population& population, const LabCall& call,
                            std::vector<InstanceId>& out);

}  // namespace hashrange
