// Writes that are made of what was read before: the condition that it still is so.
#include <algorithm>
#include <utility>

#include "lab/plan/item_pieces.h"
#include "lab/plan/name_list.h"
#include "lab/plan/read_question.h"
#include "lab/plan/write_actions.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;

// Returns whether the action is about the item as it was before: not a new one.
bool IsOfOldItem(const WriteAction& action) {
  return action.kind != ActionKind::kPut || !action.applies.unchanged.empty();
}

}  // namespace

bool WriteActions::ChangesInTime(LabAttributeRef attribute) const {
  for (const LabPattern& pattern : input_.file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.kind == LabWrite::Kind::kUpdate && ChangeOf(write, attribute)) return true;
    }
  }
  return false;
}

void WriteActions::RequireUnchanged(LabAttributeRef attribute, const LabWrite& write,
                                    WriteAction& action) {
  ItemExpression& expression = action.expression;
  const std::string name = expression.Name(LabAttributeAt(input_.file, attribute).name);
  std::vector<RequestPiece> json;
  AppendAttributeValue(input_.file, attribute, {.role = action.role}, json);
  for (RequestPiece& piece : json) {
    piece.slot.is_old = piece.kind == RequestPiece::Kind::kSlot && ChangeOf(write, attribute);
  }
  if (!CanBeAbsent(input_.file, attribute)) {
    return expression.Require(name + " = " + expression.Value(std::move(json)));
  }
  RequestPiece present = {.kind = RequestPiece::Kind::kWhen,
                          .role = action.role,
                          .has = {attribute},
                          .is_before = true};
  expression.Require(name + " = " + expression.Value(std::move(json), present), present);
  present.kind = RequestPiece::Kind::kUnless;
  expression.Require("attribute_not_exists(" + name + ")", std::move(present));
}

void WriteActions::RequireWhatWasRead(const LabWrite& write, int role) {
  const LabItem* const main = MainItem(write.entity);
  if (main == nullptr) return;
  const std::vector<LabAttributeRef> held = HeldAttributes(input_, *main);
  const std::vector<LabAttributeRef> key = AttributesOfKey(*main);
  std::vector<LabAttributeRef> required;
  std::vector<std::string> names;
  std::vector<std::string> unsure;
  const auto has = [](const std::vector<LabAttributeRef>& list, LabAttributeRef one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  };
  for (const LabAttributeRef one : knowledge_[role].used) {
    // An item whose key has the attribute is not found where that has changed.
    if (!ChangesInTime(one) || has(key, one) || has(required, one)) continue;
    const bool can_require =
        has(held, one) && std::any_of(actions_.begin(), actions_.end(), [&](const auto& action) {
          return action.item == main && action.role == role && IsOfOldItem(action);
        });
    AddName(LabAttributeAt(input_.file, one).name, can_require ? names : unsure);
    if (can_require) required.push_back(one);
  }
  for (WriteAction& action : actions_) {
    if (action.item != main || action.role != role || !IsOfOldItem(action)) continue;
    for (const LabAttributeRef one : required) RequireUnchanged(one, write, action);
  }
  const auto verb = [](const std::vector<std::string>& list) {
    return std::string(list.size() == 1 ? " is" : " are");
  };
  if (!names.empty()) {
    requires_what_was_read_ = true;
    Reason("The write has the condition that " + JoinNames(names) + verb(names) +
           " as read; where that fails, the caller reads and writes again.");
  }
  if (unsure.empty()) return;
  Reason("No condition says that " + JoinNames(unsure) + verb(unsure) +
         " still as read: what changes between the read and the write leaves a wrong key behind.");
}

}  // namespace hashrange
