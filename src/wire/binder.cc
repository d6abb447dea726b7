#include "wire/binder.h"

#include <algorithm>
#include <cmath>

#include "wire/member_constraints.h"
#include "wire/member_types.h"

namespace hashrange {
namespace {

using Slots = std::span<const JsonValue* const>;

const JsonValue* MemberValue(const Shape& input, Slots slots, std::string_view name) {
  const auto member = std::ranges::find(input.members, name, &ShapeMember::name);
  return member == input.members.end()
             ? nullptr
             : slots[static_cast<std::size_t>(member - input.members.begin())];
}

// Whether the older layer handles the request instead of the operation's own layer
// (docs/service/01-wire-protocol.md, sections 8 and 10).
bool FallsToOlderLayer(const OperationShape& operation, Slots slots, int value_levels) {
  if (operation.layer == ValidationLayer::kOlder) return false;
  if (!operation.older_without.empty() &&
      !MemberValue(*operation.input, slots, operation.older_without)) {
    return true;
  }
  return operation.layer == ValidationLayer::kEnveloped && value_levels > kMaxCurrentLayerLevels;
}

const AloneRule* FindAloneRule(const OperationShape& operation, Slots slots) {
  const Shape& input = *operation.input;
  for (const AloneRule& rule : operation.alone) {
    const auto member = std::ranges::find(input.members, rule.member, &ShapeMember::name);
    const JsonValue* value = slots[static_cast<std::size_t>(member - input.members.begin())];
    if (ProblemOf(*member->shape, value) == rule.problem) return &rule;
  }
  return nullptr;
}

}  // namespace

Status BindRequest(const OperationShape& operation, const JsonValue& body, ValidationLayer* layer) {
  if (body.type != JsonValue::Type::kObject) {
    return Error{ErrorCode::kSerializationException, {}, nullptr};
  }
  const JsonValue* slots[kMaxInputMembers] = {};
  MemberTypes types;
  if (!types.BindInput(*operation.input, body, slots)) {
    return Error{ErrorCode::kSerializationException, types.message(), nullptr};
  }
  const bool is_older = FallsToOlderLayer(operation, slots, types.value_levels());
  if (layer) *layer = is_older ? ValidationLayer::kOlder : operation.layer;
  if (!is_older) {
    if (const AloneRule* rule = FindAloneRule(operation, slots)) {
      return ValidationError(std::string(rule->message));
    }
  }
  MemberConstraints constraints(is_older, types.longest_name_bytes());
  constraints.CheckInput(*operation.input, slots);
  if (!constraints.ok()) return ValidationError(constraints.Message());
  return {};
}

std::optional<std::string_view> RequestObject::String(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  return value->string();
}

std::optional<std::int64_t> RequestObject::Integer(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  if (value->type == JsonValue::Type::kInteger) return value->integer;
  return static_cast<std::int64_t>(std::floor(value->decimal));
}

std::optional<double> RequestObject::Double(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  if (value->type == JsonValue::Type::kInteger) return static_cast<double>(value->integer);
  return value->decimal;
}

std::optional<bool> RequestObject::Boolean(std::string_view name) const {
  const JsonValue* value = Find(name);
  return value ? BooleanOf(*value) : std::nullopt;
}

std::optional<RequestObject> RequestObject::Object(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  return RequestObject(*value);
}

std::span<const JsonValue> RequestObject::List(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return {};
  return value->elements();
}

}  // namespace hashrange
