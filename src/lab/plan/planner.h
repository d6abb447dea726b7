// The two halves of PlanLayout (layout_plan.h), and what both need of the file. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_file.h"
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
// attributes `by`, whose values role `role` has, and what the write's conditions say.
PatternPlan PlanLookup(const PlannerInput& input, const LabWrite& write, int entity,
                       const std::vector<LabAttributeRef>& by, int role);

// Returns the same for all instances of the entity that have these values: the children of the
// instance of the role.
PatternPlan PlanLookupOfChildren(const PlannerInput& input, int entity,
                                 const std::vector<LabAttributeRef>& by, int role);

// Returns the items that the layout stores for each instance.
std::vector<StoredItem> StoredItemsOf(const PlannerInput& input);

// Appends the pieces of an item's JSON object, with the values as of after the call. `role` is the
// instance, and `child_roles` has for each entity that is embedded in the item (EmbeddedIn) the
// role of the children; kLabNone, or too short: all existing children.
void AppendItem(const PlannerInput& input, const LabItem& item, int role,
                const std::vector<int>& child_roles, std::vector<RequestPiece>& pieces);

// Returns the embeddings whose children are in the item.
std::vector<const LabEmbedding*> EmbeddedIn(const PlannerInput& input, const LabItem& item);

// Returns the attributes that the item has besides those that it has by templates: those of its
// entity and the identity of the parent, or those that the item is restricted to.
std::vector<LabAttributeRef> StoredAttributes(const PlannerInput& input, const LabItem& item);

// Returns whether an instance may lack the attribute, or a part of the template.
bool CanBeAbsent(const LabFile& file, LabAttributeRef attribute);
bool CanBeAbsent(const LabFile& file, const LabTemplate& text);

// A member of each request.
inline constexpr std::string_view kReturnConsumedCapacity = R"("ReturnConsumedCapacity":"TOTAL")";

}  // namespace hashrange
