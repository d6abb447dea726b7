#include "expression/legacy_update.h"

namespace hashrange {
namespace {

UpdateVerb VerbOf(const AttributeUpdate& update) {
  switch (update.action) {
    case AttributeAction::kPut:
      return UpdateVerb::kSet;
    case AttributeAction::kAdd:
      return UpdateVerb::kAdd;
    default:
      return update.value ? UpdateVerb::kDelete : UpdateVerb::kRemove;
  }
}

}  // namespace

Update LowerAttributeUpdates(std::span<const AttributeUpdate> updates, Arena& arena) {
  const std::span<UpdateAction> actions = arena.NewArray<UpdateAction>(updates.size());
  const std::span<PathElement> names = arena.NewArray<PathElement>(updates.size());
  const std::span<ValueView> values = arena.NewArray<ValueView>(updates.size());
  for (std::size_t i = 0; i < updates.size(); ++i) {
    names[i].name = updates[i].attribute;
    actions[i].verb = VerbOf(updates[i]);
    actions[i].target = names.subspan(i, 1);
    if (!updates[i].value) continue;
    values[i] = *updates[i].value;
    actions[i].value = &values[i];
  }
  return Update(actions);
}

}  // namespace hashrange
