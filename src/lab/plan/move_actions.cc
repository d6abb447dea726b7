// Updates of what an item's primary key, or its presence, depends on: the item is deleted and put.
#include <string>
#include <utility>
#include <vector>

#include "lab/plan/item_pieces.h"
#include "lab/plan/name_list.h"
#include "lab/plan/read_question.h"
#include "lab/plan/write_actions.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using ChangeKind = LabChange::Kind;

}  // namespace

void WriteActions::AddMove(const LabItem& item, const LabWrite& write, int role) {
  const std::vector<LabAttributeRef> key = AttributesOfKey(item);
  const bool is_moved = std::any_of(
      key.begin(), key.end(), [&](LabAttributeRef one) { return ChangeOf(write, one) != nullptr; });
  return is_moved ? AddMovedItem(item, write, role) : AddSometimesStored(item, write, role);
}

// The caller has to know the whole item that is put, but for what the call sets.
void WriteActions::KnowNewItem(const LabItem& item, const LabWrite& write, int role) {
  std::vector<LabAttributeRef> needed = StoredAttributes(input_, item);
  for (const LabItemKey& one : item.keys) {
    AppendAttributesOf(one.text, needed);
    AppendAttributesOf(one.when, needed);
  }
  AppendAttributesOf(item.when, needed);
  std::erase_if(needed, [&](LabAttributeRef one) {
    const LabChange* const change = ChangeOf(write, one);
    return change != nullptr && change->kind != ChangeKind::kAdd;
  });
  Know(role, write.entity, needed, write, "an item that is put anew");
  if (!EmbeddedIn(input_, item).empty()) {
    LookUp(role, write.entity, write, "an item that is put anew has its children inside");
  }
}

void WriteActions::AddMovedItem(const LabItem& item, const LabWrite& write, int role) {
  const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item.table)];
  Know(role, write.entity, AttributesOfKey(item), write, "the old key in " + table.name);
  std::vector<LabAttributeRef> changed;
  std::vector<std::string> causes;
  for (const LabAttributeRef one : AttributesOfKey(item)) {
    if (ChangeOf(write, one) == nullptr) continue;
    changed.push_back(one);
    AddName(LabAttributeAt(input_.file, one).name, causes);
  }
  const bool is_main = &item == MainItem(write.entity);
  const auto require_old = [&](ItemExpression& expression) {
    if (!is_main) return;
    expression.Require("attribute_exists(" + expression.Name(HashName(item)) + ")");
    RequireConditions(write.conditions, "", expression);
  };
  WriteAction& old_item = ActionFor(ActionKind::kDelete, item, role);
  old_item.applies = ConditionOfItem(input_, item, role);
  old_item.applies.is_before = true;
  old_item.applies.changed = changed;
  require_old(old_item.expression);
  Reason("The key of an item in " + table.name + " has " + JoinNames(causes) +
         ": the item is deleted and put again.");
  RequestPiece stored = ConditionOfItem(input_, item, role);
  if (!ResolveCondition(write, stored)) return;
  KnowNewItem(item, write, role);
  WriteAction& new_item = ActionFor(ActionKind::kPut, item, role);
  new_item.applies = stored;
  new_item.applies.changed = changed;
  new_item.expression.Require("attribute_not_exists(" + new_item.expression.Name(HashName(item)) +
                              ")");
  // A call may give the value that is there already; the item then stays where it is.
  WriteAction same_item = {.kind = ActionKind::kPut, .item = &item, .role = role};
  same_item.applies = std::move(stored);
  same_item.applies.unchanged = std::move(changed);
  require_old(same_item.expression);
  actions_.push_back(std::move(same_item));
}

void WriteActions::AddSometimesStored(const LabItem& item, const LabWrite& write, int role) {
  const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item.table)];
  Know(role, write.entity, AttributesOfKey(item), write, "the key of an item in " + table.name);
  RequestPiece stored = ConditionOfItem(input_, item, role);
  const bool can_be_stored = ResolveCondition(write, stored);
  const bool is_certain = stored.has.empty() && stored.when.empty();
  if (can_be_stored) {
    KnowNewItem(item, write, role);
    ActionFor(ActionKind::kPut, item, role).applies = stored;
  }
  if (!can_be_stored || !is_certain) {
    WriteAction& gone = ActionFor(ActionKind::kDelete, item, role);
    if (can_be_stored) gone.applies = std::move(stored);
    gone.applies.kind = RequestPiece::Kind::kUnless;
  }
  std::string names;
  for (const LabChange& change : write.changes) {
    const std::string& name = LabAttributeAt(input_.file, {write.entity, change.attribute}).name;
    names += (names.empty() ? "" : " and ") + name;
  }
  Reason("Whether an item is in " + table.name + " depends on " + names +
         ": it is put or deleted.");
}

}  // namespace hashrange
