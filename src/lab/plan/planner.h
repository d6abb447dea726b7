// The two halves of PlanLayout (layout_plan.h), and what both need of the file. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "lab/file/lab_file.h"
#include "lab/plan/call_shape.h"
#include "lab/plan/layout_plan.h"

namespace hashrange {

struct PlannerInput {
  const LabFile& file;
  const LabLayout& layout;
};

// Return how the layout serves a get or a query, and a write.
PatternPlan PlanRead(const PlannerInput& input, int pattern, const CallShape& shape);
PatternPlan PlanWrite(const PlannerInput& input, int pattern, const CallShape& shape);

// Returns the steps of PlanRead that find one instance by what the caller of a write knows: the
// attributes `by`, whose values role `role` has.
PatternPlan PlanLookup(const PlannerInput& input, int entity,
                       const std::vector<LabAttributeRef>& by, int role);

// Returns the items that the layout stores for each instance.
std::vector<StoredItem> StoredItemsOf(const PlannerInput& input);

// Appends the pieces of an item's JSON object. `role` is the instance, and `child_roles` has for
// each embedded entity the role of the children; kLabNone: there are none.
void AppendItem(const PlannerInput& input, const LabItem& item, int role,
                const std::vector<int>& child_roles, std::vector<RequestPiece>& pieces);

}  // namespace hashrange
