// The parts of an item's JSON, as pieces of templates, for requests that write a part of an item.
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/planner.h"
#include "lab/plan/request_template.h"

namespace hashrange {

// Whose values are put into a template, and whether as of before or after the call.
struct RoleSource {
  int role = 0;
  RequestSlot::Source source = RequestSlot::Source::kAttribute;
};

// Returns whether the attribute is a part of the table's own key.
bool IsPrimaryKeyOf(const LabTable& table, const std::string& attribute);

// Returns a piece of kWhen that says for which instances the item is stored: those that match, and
// have what the primary key is made of. With neither conditions nor attributes, for all.
RequestPiece ConditionOfItem(const PlannerInput& input, const LabItem& item, int role);
// Returns the same for one key attribute of an index.
RequestPiece ConditionOfKey(const PlannerInput& input, const LabItemKey& key, int role);

// Appends the value of a key attribute: {"S":"ORDER#{order_id}"}.
void AppendTemplateValue(const PlannerInput& input, const LabItem& item, const LabItemKey& key,
                         const RoleSource& from, std::vector<RequestPiece>& pieces);
// Appends the value of an attribute: {"S":"{status}"}.
void AppendAttributeValue(const LabFile& file, LabAttributeRef attribute, const RoleSource& from,
                          std::vector<RequestPiece>& pieces);
// Appends the primary key of an item, the member `Key` of requests.
void AppendPrimaryKey(const PlannerInput& input, const LabItem& item, const RoleSource& from,
                      std::vector<RequestPiece>& pieces);

// Whose children a list, or a map, has.
struct ChildListRoles {
  int parent_role = 0;
  int child_role = kLabNone;  // kLabNone: all existing children of the parent
  int except = kLabNone;      // without the instances of this role, here and inside of the children
};
// Appends the list, or the map, of children that stand inside an item.
void AppendChildList(const PlannerInput& input, const LabEmbedding& embedding,
                     const ChildListRoles& roles, std::vector<RequestPiece>& pieces);
// Appends one child, an element of that list.
void AppendChild(const PlannerInput& input, const LabEmbedding& embedding, int role,
                 std::vector<RequestPiece>& pieces);

}  // namespace hashrange
