// AttributeUpdates (docs/service/09-legacy-api.md, section 5).
#include <string>

#include "expression/functions.h"
#include "expression/legacy_update.h"
#include "operation/call/invalid_parameters.h"
#include "operation/parameter/legacy_parameters.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr TypeMask kSetTypes =
    MaskOf(AttributeType::kSS) | MaskOf(AttributeType::kNS) | MaskOf(AttributeType::kBS);
constexpr TypeMask kAddedTypes = kSetTypes | MaskOf(AttributeType::kN) | MaskOf(AttributeType::kL);

AttributeAction ReadAttributeAction(const RequestObject& entry) {
  const auto text = entry.String("Action");
  if (text == "ADD") return AttributeAction::kAdd;
  return text == "DELETE" ? AttributeAction::kDelete : AttributeAction::kPut;
}

// Checks that the action is allowed with the entry's value, or without a value. Whether the service
// envelopes the errors is unverified (docs/service/01-wire-protocol.md, section 8).
Status CheckAction(const AttributeUpdate& update) {
  const bool is_delete = update.action == AttributeAction::kDelete;
  if (!update.value) {
    if (is_delete) return {};
    return InvalidParameters("Only DELETE action is allowed when no attribute value is specified");
  }
  if (update.action == AttributeAction::kPut) return {};
  const AttributeType type = update.value->type;
  if (Allows(is_delete ? kSetTypes : kAddedTypes, type)) return {};
  return InvalidParameters(std::string(is_delete ? "DELETE action with value is not supported"
                                                 : "ADD action is not supported")
                               .append(" for the type ")
                               .append(TypeTag(type)));
}

Result<AttributeUpdate> ReadAttributeUpdate(const JsonMember& entry, const Context& context) {
  if (entry.name.empty()) return ValidationError("Empty attribute name");
  const RequestObject object(entry.value);
  AttributeUpdate update{entry.name, ReadAttributeAction(object), std::nullopt};
  if (const JsonValue* value = object.Find("Value")) {
    HR_ASSIGN(update.value, ReadAttributeValue(*value, context.layer, context.arena));
  }
  if (Status status = CheckAction(update); !status.ok()) {
    return Enveloped(context.layer, std::move(status).error());
  }
  return update;
}

}  // namespace

Result<Update> ReadAttributeUpdates(const RequestObject& request, const Context& context) {
  const JsonValue* member = request.Find("AttributeUpdates");
  if (!member) return Update();
  const auto entries = member->members();
  const auto updates = context.arena.NewArray<AttributeUpdate>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    HR_ASSIGN(updates[i], ReadAttributeUpdate(entries[i], context));
  }
  return LowerAttributeUpdates(updates, context.arena);
}

}  // namespace hashrange
