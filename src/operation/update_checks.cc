#include "operation/update_checks.h"

#include <algorithm>
#include <string>

#include "operation/expression_parameters.h"
#include "operation/item_key.h"

namespace hashrange {
namespace {

Status CheckIndexKeyNotEmpty(const ValueView& value) {
  const bool is_string = value.type == AttributeType::kS;
  if (value.size > 0 || (!is_string && value.type != AttributeType::kB)) return {};
  return ValidationError(
      std::string("One or more parameter values are not valid. The update expression attempted to "
                  "update a secondary index key to a value that is not supported. The "
                  "AttributeValue for a key attribute cannot contain an empty ")
          .append(is_string ? "string" : "binary")
          .append(" value."));
}

Status CheckNotKey(const KeySchema& key, const UpdateAction& action) {
  if (action.target.size() > 1 || !key.Find(action.target[0].name)) return {};
  return ValidationError(
      std::string("One or more parameter values were invalid: Cannot update attribute ")
          .append(action.target[0].name)
          .append(". This attribute is part of the key"));
}

// What a top-level target of `action` is given, when the text alone says so.
const ValueView* GivenValue(const UpdateAction& action) {
  const bool gives = action.target.size() == 1 && action.verb != UpdateVerb::kDelete;
  return gives ? action.value : nullptr;
}

Status CheckIndexKeyTargets(const TableVersion& table, const UpdateAction& action) {
  const ValueView* value = GivenValue(action);
  if (!value) return {};
  for (const IndexVersion& index : table.indexes) {
    const KeyPart* part = index.schema.key.Find(action.target[0].name);
    if (!part) continue;
    HR_RETURN_IF_ERROR(CheckIndexKeyType(index.schema, *part, *value));
    HR_RETURN_IF_ERROR(CheckIndexKeyNotEmpty(*value));
  }
  return {};
}

// Index keys whose value only the update itself could tell.
Status CheckComputedIndexKeys(const TableVersion& table, std::span<const Attribute> updated,
                              ItemView before) {
  for (const IndexVersion& index : table.indexes) {
    for (std::size_t i = 0; i < index.schema.key.parts(); ++i) {
      const KeyPart& part = index.schema.key.part(i);
      const ValueView* value = FindAttribute(updated, part.name);
      if (!value || before.Find(part.name) == *value) continue;
      if (value->type != part.type) {
        return ValidationError(
            "The update expression attempted to update the secondary index key to unsupported "
            "type");
      }
      HR_RETURN_IF_ERROR(CheckIndexKeyNotEmpty(*value));
      HR_RETURN_IF_ERROR(CheckKeyLength(*value, i < index.schema.key.hash.size()));
    }
  }
  return {};
}

bool OnlyRemoves(const Update& update) {
  return !update.actions().empty() &&
         std::ranges::all_of(update.actions(), [](const UpdateAction& action) {
           return action.verb == UpdateVerb::kRemove || action.verb == UpdateVerb::kDelete;
         });
}

}  // namespace

Status CheckUpdateTargets(const TableVersion& table, const Update& update) {
  for (const UpdateAction& action : update.actions()) {
    HR_RETURN_IF_ERROR(CheckNotKey(table.key, action));
  }
  for (const UpdateAction& action : update.actions()) {
    HR_RETURN_IF_ERROR(CheckIndexKeyTargets(table, action));
  }
  return CheckKeyPathsAreScalar(update.paths(), table);
}

Status CheckNoEmptyIndexKey(const TableVersion& table, const Update& update) {
  for (const UpdateAction& action : update.actions()) {
    const ValueView* value = GivenValue(action);
    if (!value) continue;
    for (const IndexVersion& index : table.indexes) {
      const KeyPart* part = index.schema.key.Find(action.target[0].name);
      if (part && part->type == value->type) HR_RETURN_IF_ERROR(CheckIndexKeyNotEmpty(*value));
    }
  }
  return {};
}

Error UpdateTooLarge() {
  return ValidationError("Item size to update has exceeded the maximum allowed size");
}

Decision DecideUpdate(const TableVersion& table, const Update& update,
                      std::span<const Attribute> key, ItemView before, Arena& arena) {
  // An update that can only take away creates nothing (reference 05, section 5).
  if (!before.exists() && OnlyRemoves(update)) return Decision::Keep();
  if (before.exists() && update.actions().empty()) return Decision::Keep();
  auto updated = update.Apply(before, key, arena);
  if (!updated.ok()) return Decision::Refuse(std::move(updated).error());
  if (Status status = CheckComputedIndexKeys(table, *updated, before); !status.ok()) {
    return Decision::Refuse(std::move(status).error());
  }
  if (ItemSizeBytes(*updated) > kMaxItemSizeBytes) return Decision::Refuse(UpdateTooLarge());
  return Decision::Put(Item::Make(table.key, *updated));
}

}  // namespace hashrange
