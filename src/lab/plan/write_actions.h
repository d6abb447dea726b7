// What one call of a write does to items, action by action, before it is known by which requests.
// Each value is made of the ones before it, by pure functions:
//
//   CallerKnowledge  what the caller knows of the instances of each role
//   WriteActions     what is done to which items, why, and what has to be known for it
//   PatternPlan      first the look-ups for the needs that are not known, then the requests
//                    (write_requests.cc)
//
//   update: Order, by: [order_id], set: {status: PAID}
//     known  role 0: order_id
//     done   update Order "ORDER#{order_id}": SET status, GSI1PK
//     needs  role 0: customer_id, for the partition key of GSI1
//     reads  GetItem ORDER#{order_id}
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "lab/plan/cost/layout_model.h"
#include "lab/plan/item_expression.h"
#include "lab/plan/read/read_planner.h"
#include "lab/plan/request/lab_call.h"
#include "lab/plan/request/pattern_cost.h"

namespace hashrange {

// The call that is planned; all outlive it.
struct WriteCall {
  const PlannerInput& input;
  const LayoutModel& model;
  int number;  // of the pattern
  const LabPattern& pattern = input.file.patterns[static_cast<std::size_t>(number)];
  const CallShape& shape = model.file_model().shape(number);
};

// What the caller knows of the instances of a role before anything is read.
struct RoleKnowledge {
  // The call creates the instances, or deletes them along with their parent, by their keys.
  bool is_all = false;
  std::vector<LabAttributeRef> attributes = {};
  std::vector<LabCondition> old_values = {};  // equal to one value each, before the call
};
using CallerKnowledge = std::map<int, RoleKnowledge>;  // by role

CallerKnowledge KnowledgeOfCaller(const WriteCall& call);
// Returns whether the caller knows the attribute of the role's instances.
bool Knows(const LabFile& file, const CallerKnowledge& known, int role, LabAttributeRef attribute);

// What is done to one item of each instance of a role.
struct WriteAction {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  const LabItem* item = nullptr;
  int role = 0;
  RoleCondition applies = {};  // for which instances
  // Of kPut: the role of the children that are inside of the item, or kLabNone (AppendItem).
  std::vector<int> child_roles = {};
  // The roles of all instances inside of the item that the action creates, changes or deletes.
  std::vector<int> inner_roles = {};
  ItemExpression expression = {};
};

// A sentence for the plan, with its full stop.
struct WriteReason {
  std::string sentence = {};
  std::string index = {};  // which the sentence is about; one sentence about an index is enough
};
// What has to be known; what the caller does not know is looked up.
struct WriteNeed {
  WriteLookUp look_up = {};
  std::vector<LabAttributeRef> attributes = {};
  bool is_whole_item = false;  // in place of `attributes`
  std::string why = {};        // "the key of shop"; of a whole item all of the reason
};
// Why the layout cannot serve the pattern.
struct WriteObstacle {
  std::string sentence = {};
};
using WriteNote = std::variant<WriteReason, WriteNeed, WriteObstacle>;

struct WriteActions {
  std::vector<WriteAction> actions = {};
  std::vector<std::vector<WriteNote>> notes = {};  // of each write, in the order of the reasons
  // Whether an action has the condition that what was read before is still so.
  bool requires_what_was_read = false;
};

WriteActions ActionsOf(const WriteCall& call, const CallerKnowledge& known);

struct PlannedAction {
  const WriteAction* action = nullptr;
  bool is_in_transaction = false;  // which doubles what the table takes
};
// Returns what one call takes for its actions, look-ups and the number of requests aside: the units
// of each item that is written, and of each entry of an index that this adds, changes or removes
// (write_cost.cc).
PatternCost CostOfActions(const WriteCall& call, const std::vector<PlannedAction>& actions);

// Returns the item that keeps an attribute unique, since its key is made of that attribute, or of
// the parts of its values, and of nothing else; null: there is none.
const LabItem* SentinelOf(const LabFile& file, const LabLayout& layout, LabAttributeRef unique);

// Returns the templates of an item's key: "CUST#{customer_id} / METADATA".
std::string PrimaryKeyText(const LabLayout& layout, const LabItem& item);

}  // namespace hashrange
