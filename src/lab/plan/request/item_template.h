// The templates of an item: its JSON, its key, its attributes and the children inside of it, and
// for which instances it is there. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/request/request_template.h"

namespace hashrange {

// The layout that is planned, and its file.
struct PlannerInput {
  const LabFile& file;
  const LabLayout& layout;
};

// Returns the table that the item is in.
inline const LabTable& TableOfItem(const LabLayout& layout, const LabItem& item) {
  return layout.tables[static_cast<std::size_t>(item.table)];
}

// Returns the embeddings whose children are in the item.
std::vector<const LabEmbedding*> EmbeddedIn(const PlannerInput& input, const LabItem& item);

// Returns the attributes that the item has besides those that it has by templates: the
// attributes of its entity and the identity of the parent, or those that the item is restricted to.
std::vector<LabAttributeRef> StoredAttributes(const PlannerInput& input, const LabItem& item);

// Returns the attributes that an item holds by their own names: StoredAttributes, and the
// attributes that one of its keys is nothing but.
std::vector<LabAttributeRef> HeldAttributes(const PlannerInput& input, const LabItem& item);

// Returns whether an instance may lack the attribute, or a part of the template.
bool CanBeAbsent(const LabFile& file, LabAttributeRef attribute);
bool CanBeAbsent(const LabFile& file, const LabTemplate& text);

// Append the attributes of a template's placeholders, and of conditions.
void AppendAttributesOf(const LabTemplate& text, std::vector<LabAttributeRef>& attributes);
void AppendAttributesOf(const std::vector<LabCondition>& conditions,
                        std::vector<LabAttributeRef>& attributes);

// Whose values are put into a template, and whether as of before or after the call.
struct RoleSource {
  int role = 0;
  RequestSlot::Source source = RequestSlot::Source::kAttribute;
};

// Returns whether the attribute is a part of the table's own key.
bool IsPrimaryKeyOf(const LabTable& table, const std::string& attribute);

// Returns for which instances the item is stored: those that match, and have what the primary key
// is made of.
RoleCondition ConditionOfItem(const PlannerInput& input, const LabItem& item, int role);
// Returns the same for one key attribute of an index.
RoleCondition ConditionOfKey(const PlannerInput& input, const LabItemKey& key, int role);

// Appends the value of a key attribute: {"S":"ORDER#{order_id}"}.
void AppendTemplateValue(const PlannerInput& input, const LabItem& item, const LabItemKey& key,
                         const RoleSource& from, RequestNodes& nodes);
// Appends the value of an attribute: {"S":"{status}"}.
void AppendAttributeValue(const LabFile& file, LabAttributeRef attribute, const RoleSource& from,
                          RequestNodes& nodes);
// Appends an item's JSON object, with the values as of after the call. `role` is the
// instance, and `child_roles` has for each entity that is embedded in the item (EmbeddedIn) the
// role of the children; kLabNone, or too short: all existing children.
void AppendItem(const PlannerInput& input, const LabItem& item, int role,
                const std::vector<int>& child_roles, RequestNodes& nodes);

// Appends the primary key of an item, the member `Key` of requests.
void AppendPrimaryKey(const PlannerInput& input, const LabItem& item, const RoleSource& from,
                      RequestNodes& nodes);

// Whose children a list, or a map, has.
struct ChildListRoles {
  int parent_role = 0;
  int child_role = kLabNone;  // kLabNone: all existing children of the parent
  int except = kLabNone;      // without the instances of this role, here and inside of the children
};
// Appends the list, or the map, of children that stand inside an item.
void AppendChildList(const PlannerInput& input, const LabEmbedding& embedding,
                     const ChildListRoles& roles, RequestNodes& nodes);
// Appends one child, an element of that list.
void AppendChild(const PlannerInput& input, const LabEmbedding& embedding, int role,
                 RequestNodes& nodes);

}  // namespace hashrange
