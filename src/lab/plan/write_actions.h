// WriteActions: what one call of a pattern does to items, action by action, before it is known by
// which requests. Pure functions of the file; one thread at a time.
//
//   create: Customer, unique: [email]   Put CUST#{customer_id}, Put EMAIL#{email}
//   update: Order, set: {status: PAID}  Update ORDER#{order_id}: SET status, GSI1PK
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/plan/call_shape.h"
#include "lab/plan/item_expression.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/planner.h"
#include "lab/plan/request_template.h"

namespace hashrange {

// What is done to one item of each instance of a role.
struct WriteAction {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  const LabItem* item = nullptr;
  int role = 0;
  RequestPiece applies = {};  // kWhen or kUnless: for which instances; without conditions, for all
  // Of kPut: the role of the children that are inside of the item, or kLabNone (AppendItem).
  std::vector<int> child_roles = {};
  // The roles of all instances inside of the item that the action creates, changes or deletes.
  std::vector<int> inner_roles = {};
  ItemExpression expression = {};

  bool IsSometimes() const {
    return !applies.has.empty() || !applies.when.empty() || !applies.changed.empty() ||
           !applies.unchanged.empty();
  }
};

class WriteActions {
 public:
  // All outlive the object.
  WriteActions(const PlannerInput& input, const LabPattern& pattern, const CallShape& shape);

  const std::vector<WriteAction>& actions() const { return actions_; }
  const std::vector<PlanStep>& lookups() const { return lookups_; }
  const std::vector<std::string>& reasons() const { return reasons_; }
  // Why other keys do not serve the look-ups.
  const std::vector<std::string>& rejected() const { return rejected_; }
  // Why something had to be looked up for a key or an item: what the caller does not know.
  const std::vector<std::string>& unknown() const { return unknown_; }
  const std::string& impossible() const { return impossible_; }
  // Whether an action has the condition that what was read before is still so.
  bool requires_what_was_read() const { return requires_what_was_read_; }
  // kKey, or how the keys are looked up.
  PlanService service() const { return service_; }

  // Returns the value that an attribute of the role's instances has before the call wherever the
  // call's conditions hold; null: they do not say it.
  const std::string* OldValue(int role, LabAttributeRef attribute) const;
  // Returns a sentence about the key of the first action's item.
  std::string ReasonOfKey() const;

  // Returns the greatest number of instances that the role has in one call.
  double MostInstances(int role) const;
  // Returns the role that has as many instances as this one has, each of them for one of this role,
  // and that depends on no such role itself.
  int RootRole(int role) const;
  // Returns the roles between these two, the root included and `role` excluded.
  std::vector<int> BesideRoles(int role) const;

 private:
  // What the caller knows of the instances of a role.
  struct Knowledge {
    bool is_all = false;
    bool is_read = false;  // it is all, but for `attributes`, by a look-up
    // Of what was read, what the writes are made of.
    std::vector<LabAttributeRef> used = {};
    std::vector<LabAttributeRef> attributes = {};
    std::vector<LabCondition> old_values = {};  // equal to one value each, before the call
  };
  // How an item has what an update changes.
  struct KeyEffect {
    enum class Kind : std::uint8_t { kUntouched, kSet, kRemoved, kSometimes };
    Kind kind = Kind::kUntouched;
    RequestPiece condition = {};
    std::vector<std::string> causes = {};  // the attributes that are changed
  };

  void Add(const LabWrite& write, const CallShape::WriteRoles& roles);
  void AddCreate(const LabWrite& write, const CallShape::WriteRoles& roles);
  void AddPuts(int entity, int role, const LabWrite& write, const std::vector<int>& child_roles);
  void RequireUnique(const LabWrite& write, int role);
  void AddDelete(const LabWrite& write, const CallShape::WriteRoles& roles);
  void AddDeletesOfChildren(const LabWrite& write, const CallShape::WriteRoles& roles);
  void AddCheck(const LabWrite& write, int role);

  // update_actions.cc
  void AddUpdate(const LabWrite& write, int role);
  bool AddUpdateOf(const LabItem& item, const LabWrite& write, int role);
  // `path` is what stands before the attribute's name: "#n0.#n1.", or nothing.
  void AddChange(const LabWrite& write, const LabChange& change, int role, const std::string& path,
                 ItemExpression& expression);
  void AddKeyChange(const LabItem& item, const LabItemKey& key, const LabWrite& write,
                    WriteAction& action);
  void ReasonOfIndex(const LabIndex& index, const KeyEffect& effect, bool is_hash);
  KeyEffect EffectOn(const LabItemKey& key, const LabWrite& write, int role) const;
  // Takes out of the condition what holds for each call of the write; returns false where the
  // condition never holds.
  bool ResolveCondition(const LabWrite& write, RequestPiece& condition) const;
  // Returns whether the key attribute is nothing but the attribute of that name.
  bool IsPlainAttribute(const LabItemKey& key) const;
  void NoteCopies(const LabWrite& write);
  std::string AddedValue(const LabChange& change, int role, ItemExpression& expression) const;
  void RequireConditions(const std::vector<LabCondition>& conditions, const std::string& path,
                         ItemExpression& expression) const;

  // move_actions.cc
  void AddMove(const LabItem& item, const LabWrite& write, int role);
  void AddMovedItem(const LabItem& item, const LabWrite& write, int role);
  void AddSometimesStored(const LabItem& item, const LabWrite& write, int role);
  void KnowNewItem(const LabItem& item, const LabWrite& write, int role);

  // embedded_actions.cc
  struct EmbeddedPlace;
  EmbeddedPlace PlaceOfEmbedded(int entity, int role) const;
  void AddEmbedded(const LabWrite& write, int role);
  void AddEmbeddedTo(const LabItem& item, const EmbeddedPlace& place, const LabWrite& write);
  void AddAlongPath(const EmbeddedPlace& place, const LabWrite& write, WriteAction& action);
  void AddRewrite(const EmbeddedPlace& place, const LabWrite& write, const LabItem& item);

  // look_up_actions.cc
  bool Knows(int role, LabAttributeRef attribute) const;
  // Sees to it that the caller knows the attributes of the role's instances, if need be by a
  // look-up of the entity; `why` is the reason for that, "the key of shop".
  void Know(int role, int entity, const std::vector<LabAttributeRef>& attributes,
            const LabWrite& write, const std::string& why);
  void LookUp(int role, int entity, const LabWrite& write, const std::string& why);
  // Returns whether the caller knows the attribute by a look-up only.
  bool IsOnlyRead(int role, LabAttributeRef attribute) const;
  // Adds the steps of a look-up, which is made for each instance of the role `each`; kLabNone:
  // once. Returns whether it is possible.
  bool TakeLookUp(PatternPlan& found, int each);

  // read_conditions.cc
  // Makes the write of the main item depend on what was read and others may change meanwhile.
  void RequireWhatWasRead(const LabWrite& write, int role);
  void RequireUnchanged(LabAttributeRef attribute, const LabWrite& write, WriteAction& action);
  bool ChangesInTime(LabAttributeRef attribute) const;

  // Returns the action for the item; there is one only for each item and role.
  WriteAction& ActionFor(WriteAction::Kind kind, const LabItem& item, int role);
  // Says that the children stand inside of the items that have the instances of the other role.
  void AddInnerRole(int parent_role, int child_role);
  std::vector<const LabItem*> ItemsOf(int entity) const;
  const LabItem* MainItem(int entity) const;  // null: the entity has no items of its own
  std::string HashName(const LabItem& item) const;
  std::vector<LabAttributeRef> AttributesOfKey(const LabItem& item) const;
  int CanonicalRole(int role) const;
  void Reason(std::string sentence);

  const PlannerInput& input_;
  const LabPattern& pattern_;
  const CallShape& shape_;
  std::map<int, Knowledge> knowledge_ = {};  // by role
  std::vector<WriteAction> actions_ = {};
  std::vector<PlanStep> lookups_ = {};
  std::vector<std::string> reasons_ = {};
  std::vector<std::string> rejected_ = {};
  std::vector<std::string> unknown_ = {};
  std::string impossible_ = {};
  bool requires_what_was_read_ = false;
  PlanService service_ = PlanService::kKey;
};

// Appends the attributes of a template's placeholders.
void AppendAttributesOf(const LabTemplate& text, std::vector<LabAttributeRef>& attributes);
void AppendAttributesOf(const std::vector<LabCondition>& conditions,
                        std::vector<LabAttributeRef>& attributes);
// Returns the item that keeps an attribute unique, since its key has that attribute and no other;
// null: there is none.
const LabItem* SentinelOf(const LabLayout& layout, LabAttributeRef unique);
// Returns what the update gives to the attribute; null: nothing.
const LabChange* ChangeOf(const LabWrite& write, LabAttributeRef attribute);
// Returns all names with "and" between them.
std::string JoinNames(const std::vector<std::string>& names);

}  // namespace hashrange
