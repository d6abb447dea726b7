#include "operation/item/update_checks.h"

#include <algorithm>
#include <string>

#include "operation/call/error_texts.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"

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

// Returns the action on a top-level attribute as a whole, or null; there is at most one.
const UpdateAction* ActionOn(std::string_view attribute, const Update& update) {
  for (const UpdateAction& action : update.actions()) {
    if (action.target.size() == 1 && action.target[0].name == attribute) return &action;
  }
  return nullptr;
}

// Returns the value that the update gives the attribute; null when the update gives none, or when
// the value is not in the request but computed.
const ValueView* ValueGivenTo(std::string_view attribute, const Update& update) {
  const UpdateAction* action = ActionOn(attribute, update);
  return action && action->verb != UpdateVerb::kDelete ? action->value : nullptr;
}

Status CheckKeyIsKept(const KeySchema& key, const Update& update) {
  for (std::size_t i = 0; i < key.parts(); ++i) {
    const std::string& name = key.part(i).name;
    if (!ActionOn(name, update)) continue;
    return InvalidParameters("Cannot update attribute " + name +
                             ". This attribute is part of the key");
  }
  return {};
}

Status CheckTypeGivenTo(const KeyPart& part, const IndexSchema& index, const Update& update) {
  const UpdateAction* action = ActionOn(part.name, update);
  const auto type = action ? GivenType(*action) : std::nullopt;
  return type ? CheckIndexKeyType(index, part, *type) : Status();
}

// Checks the vector and the filters that the request gives a vector index.
Status CheckVectorTargets(const IndexSchema& index, const Update& update) {
  if (const ValueView* value = ValueGivenTo(index.vector->attribute, update)) {
    HR_RETURN_IF_ERROR(CheckVectorValue(index, *value));
  }
  for (const KeyPart& filter : index.vector->filters) {
    HR_RETURN_IF_ERROR(CheckTypeGivenTo(filter, index, update));
  }
  return {};
}

// Checks the types and values of an index's key attributes, and what a vector index takes, as far
// as the request alone determines them: `SET g = a + :n` gives a number.
Status CheckIndexKeyTargets(const IndexSchema& index, const Update& update) {
  if (index.is_vector()) HR_RETURN_IF_ERROR(CheckVectorTargets(index, update));
  for (std::size_t i = 0; i < index.key.parts(); ++i) {
    const KeyPart& part = index.key.part(i);
    HR_RETURN_IF_ERROR(CheckTypeGivenTo(part, index, update));
    if (const ValueView* value = ValueGivenTo(part.name, update)) {
      HR_RETURN_IF_ERROR(CheckIndexKeyNotEmpty(*value));
    }
  }
  return {};
}

// The text is from the documentation's list of reasons why transactions are cancelled
// (docs/service/02-types-and-sizes.md, section 6, has another text, unverified).
Status CheckIndexKeyLength(const ValueView& value, bool is_hash) {
  if (CheckKeyLength(value, is_hash).ok()) return {};
  return ValidationError(
      "The update expression attempted to update the secondary index key beyond allowed size "
      "limits");
}

// Checks the index keys whose values are known only when the update has been applied, the lengths
// of all index keys, and what the update has changed for a vector index.
Status CheckComputedIndexKeys(const TableVersion& table, std::span<const Attribute> updated,
                              ItemView before) {
  for (const IndexVersion& index : table.indexes) {
    if (index.schema.is_vector()) {
      HR_RETURN_IF_ERROR(CheckVectorAttributes(index.schema, updated, before));
    }
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
      HR_RETURN_IF_ERROR(CheckIndexKeyLength(*value, i < index.schema.key.hash.size()));
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
  HR_RETURN_IF_ERROR(CheckKeyIsKept(table.key, update));
  for (const IndexVersion& index : table.indexes) {
    HR_RETURN_IF_ERROR(CheckIndexKeyTargets(index.schema, update));
  }
  return CheckKeyPathsAreScalar(update.paths(), table);
}

Status CheckNoEmptyIndexKey(const TableVersion& table, const Update& update) {
  for (const IndexVersion& index : table.indexes) {
    for (std::size_t i = 0; i < index.schema.key.parts(); ++i) {
      const KeyPart& part = index.schema.key.part(i);
      const ValueView* value = ValueGivenTo(part.name, update);
      if (value && part.type == value->type) HR_RETURN_IF_ERROR(CheckIndexKeyNotEmpty(*value));
    }
  }
  return {};
}

Decision DecideUpdate(const TableVersion& table, const Update& update,
                      std::span<const Attribute> key, ItemView before, Arena& arena) {
  // An update that only removes creates no item (docs/service/05-item-operations.md, section 5).
  if (!before.exists() && OnlyRemoves(update)) return Decision::Keep();
  if (before.exists() && update.actions().empty()) return Decision::Keep();
  auto updated = update.Apply(before, key, arena);
  if (!updated.ok()) return Decision::Refuse(std::move(updated).error());
  if (Status status = CheckComputedIndexKeys(table, *updated, before); !status.ok()) {
    return Decision::Refuse(std::move(status).error());
  }
  ItemRef item = before.exists() ? Item::Make(table.key, *updated, before.item()->hash())
                                 : Item::Make(table.key, *updated);
  if (item->size_bytes() > kMaxItemSizeBytes) return Decision::Refuse(UpdatedItemTooLarge());
  return Decision::Put(std::move(item));
}

}  // namespace hashrange
