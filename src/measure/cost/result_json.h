// The JSON of what a check of budgets and a comparison give. Pure functions; any thread.
#pragma once

#include <span>

#include "measure/cost/budgets.h"
#include "measure/cost/compare.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes {"passed": …, "violations": [{"what", "where", "is", "allowed", "sentence"}]}. A figure
// that is infinite is null.
void WriteViolations(std::span<const BudgetViolation> violations, JsonWriter& writer);

// Writes {"passed": …, "regressions": […], "measurements": […], "patterns": […], "storage": […]}.
// It passed when there is no regression.
void WriteComparison(const Comparison& comparison, JsonWriter& writer);

}  // namespace hashrange
