// UnitEstimate: the units that the gets and writes of one call take, computed from the sizes of the
// items that the call reads and writes. It knows nothing of the engine, so that what a plan says
// and what a database charges can be held against each other. Pure functions; the population is
// read by one thread at a time.
//
//   sizes   docs/service/02-types-and-sizes.md, section 7
//   units   docs/service/08-capacity.md, section 2; docs/service/10-transactions.md, section 8
#pragma once

#include <optional>

#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/planner.h"
#include "lab/plan/request_template.h"

namespace hashrange {

struct CallUnits {
  double read_units = 0;
  double write_units = 0;
};

// Returns the units of all requests of the call, look-ups included, if the population has not been
// changed by the call yet, but for what the call creates. Writes whose `if` does not hold count as
// refused. Nothing where the figures depend on other items: for a query, a scan, a fetch of what an
// index lacks, or an item that the call does not say.
std::optional<CallUnits> UnitsOfCall(const PlannerInput& input, const LayoutPlan& layout,
                                     const PatternPlan& plan, const Population& population,
                                     const LabCall& call);

}  // namespace hashrange
