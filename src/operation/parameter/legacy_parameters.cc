#include "operation/parameter/legacy_parameters.h"

#include <optional>
#include <string>

#include "expression/functions.h"
#include "expression/legacy_lowering.h"
#include "operation/call/error_texts.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

// The number of operators that an expression may have (docs/service/04-expressions.md, section 3).
// The number of conditions has the same limit because a filter is evaluated on every item of a
// page. Whether the service has such a limit, and with which text, is unverified.
constexpr std::size_t kMaxFilterConditions = 300;

// A table has at most two key attributes.
constexpr std::size_t kMaxKeyConditions = 2;

// Returns the type of a value that has exactly one type; nullopt for a value with no type or with
// several, which ReadAttributeValue refuses.
std::optional<AttributeType> SingleTypeOf(const JsonValue& value) {
  std::optional<AttributeType> found;
  if (value.is_null()) return found;
  for (const JsonMember& tag : value.members()) {
    const auto type = TypeOfTag(tag.name);
    if (!type || tag.value.is_null()) continue;
    if (found && found != type) return std::nullopt;
    found = type;
  }
  return found;
}

Result<std::span<const ValueView>> ReadValues(std::span<const JsonValue> list,
                                              const Context& context) {
  const std::span<ValueView> values = context.arena.NewArray<ValueView>(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    HR_ASSIGN(values[i], ReadAttributeValue(list[i], context.layer, context.arena));
  }
  return std::span<const ValueView>(values);
}

// Checks the values of one condition, as sent: their number is one that the operator takes, they
// have one type, and the operator takes this type.
// Errors: ValidationException, bare (section 2)
Status CheckArguments(const ComparisonRow& comparison, std::span<const JsonValue> values) {
  if (values.size() < comparison.min_values || values.size() > comparison.max_values) {
    return InvalidParameters(Concatenated(
        {"Invalid number of argument(s) for the ", comparison.name, " ComparisonOperator"}));
  }
  std::optional<AttributeType> common;
  for (const JsonValue& value : values) {
    const std::optional<AttributeType> type = SingleTypeOf(value);
    if (common && type && common != type) {
      return InvalidParameters("AttributeValues inside AttributeValueList must be of same type");
    }
    if (type) common = type;
  }
  if (!common || Allows(comparison.types, *common)) return {};
  return InvalidParameters(
      Concatenated({"ComparisonOperator ", comparison.name, " is not valid for ", TypeTag(*common),
                    " AttributeValue type"}));
}

// Checks that the lower bound of a BETWEEN is not above the upper bound.
// Errors: ValidationException, bare
Status CheckBetweenBounds(const LegacyCondition& condition) {
  if (condition.comparison->op != Operator::kBetween) return {};
  if (Compare(condition.values[0], condition.values[1]) <= 0) return {};
  return ValidationError(
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
      "bound");
}

// Returns how the conditions of a filter or of Expected are joined; AND when the request has no
// ConditionalOperator.
// Errors: ValidationException "ConditionalOperator can only be used when …" (bare): the request has
//         a ConditionalOperator and fewer than two conditions
Result<ConditionalOperator> ReadConditionalOperator(const RequestObject& request,
                                                    std::size_t condition_count) {
  const auto text = request.String("ConditionalOperator");
  if (text && condition_count < 2) {
    return ValidationError(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return text == "OR" ? ConditionalOperator::kOr : ConditionalOperator::kAnd;
}

// Checks that no value of the conditions is nested too deep.
Status CheckDepths(std::span<const JsonMember> entries, const Context& context) {
  for (const JsonMember& entry : entries) {
    for (const JsonValue& value : RequestObject(entry.value).List("AttributeValueList")) {
      HR_RETURN_IF_ERROR(CheckValueDepth(value, context.layer));
    }
  }
  return {};
}

Result<LegacyCondition> ReadCondition(const JsonMember& entry, const Context& context) {
  const RequestObject object(entry.value);
  LegacyCondition condition{entry.name, FindComparison(*object.String("ComparisonOperator")), {}};
  const std::span<const JsonValue> list = object.List("AttributeValueList");
  HR_ASSIGN(condition.values, ReadValues(list, context));
  HR_RETURN_IF_ERROR(CheckArguments(*condition.comparison, list));
  HR_RETURN_IF_ERROR(CheckBetweenBounds(condition));
  return condition;
}

Result<std::span<const LegacyCondition>> ReadConditions(std::span<const JsonMember> entries,
                                                        const Context& context) {
  const auto conditions = context.arena.NewArray<LegacyCondition>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    HR_ASSIGN(conditions[i], ReadCondition(entries[i], context));
  }
  return std::span<const LegacyCondition>(conditions);
}

}  // namespace

Result<Condition> ReadLegacyFilter(const RequestObject& request, std::string_view member,
                                   const Context& context) {
  const JsonValue* filter = request.Find(member);
  const auto entries = filter ? filter->members() : std::span<const JsonMember>();
  // On the older layer, which handles Scan, a value that is nested too deep is reported before the
  // ConditionalOperator (docs/service/09-legacy-api.md, section 3).
  if (context.layer == ValidationLayer::kOlder) HR_RETURN_IF_ERROR(CheckDepths(entries, context));
  HR_ASSIGN(const ConditionalOperator joined, ReadConditionalOperator(request, entries.size()));
  if (entries.size() > kMaxFilterConditions) {
    return ValidationError("The filter contains too many conditions; condition count: " +
                           std::to_string(entries.size()));
  }
  HR_ASSIGN(const auto conditions, ReadConditions(entries, context));
  return LowerConditions(conditions, joined, context.arena);
}

Result<std::span<const KeyClause>> ReadKeyConditions(const RequestObject& request,
                                                     const Context& context) {
  const JsonValue* member = request.Find("KeyConditions");
  if (!member) return std::span<const KeyClause>();
  const auto entries = member->members();
  HR_ASSIGN(const auto conditions, ReadConditions(entries, context));
  // An index may have more key attributes than a table. CheckKeyClauses compares the number of
  // conditions with the schema of the index (docs/service/14-multi-attribute-keys.md, section 4).
  const bool is_too_many = entries.size() > kMaxKeyConditions && !request.Has("IndexName");
  if (entries.empty() || is_too_many) {
    return ValidationError("Conditions can be of length 1 or 2 only");
  }
  return LowerKeyConditions(conditions, context.arena);
}

namespace {

// One attribute's entry in Expected (docs/service/09-legacy-api.md, section 4), as sent.
struct ExpectedEntry {
  std::string_view attribute;
  RequestObject object;

  const JsonValue* value() const { return object.Find("Value"); }
  bool has_list() const { return object.Has("AttributeValueList"); }
  // The values that the operator compares the attribute with: a Value counts as a list of one.
  std::span<const JsonValue> arguments() const {
    if (const JsonValue* one = value()) return {one, 1};
    return object.List("AttributeValueList");
  }
};

Error InvalidForAttribute(std::string_view text, const ExpectedEntry& entry) {
  return InvalidParameters(std::string(text).append(" for Attribute: ").append(entry.attribute));
}

// Checks an entry with a ComparisonOperator: rows 2 to 4 of that section, except BETWEEN's bounds.
Status CheckComparison(const ExpectedEntry& entry, const ComparisonRow& comparison) {
  if (entry.object.Has("Exists")) {
    return InvalidForAttribute("Exists and ComparisonOperator cannot be used together", entry);
  }
  if (comparison.min_values > 0 && !entry.value() && !entry.has_list()) {
    return InvalidForAttribute(
        Concatenated({"Value or AttributeValueList must be used with ComparisonOperator: ",
                      comparison.name}),
        entry);
  }
  return CheckArguments(comparison, entry.arguments());
}

// Checks an entry that has no ComparisonOperator: rows 5 to 7 of that section.
Status CheckExistsOrValue(const ExpectedEntry& entry) {
  if (entry.has_list()) {
    return InvalidForAttribute("AttributeValueList can only be used with a ComparisonOperator",
                               entry);
  }
  const std::optional<bool> exists = entry.object.Boolean("Exists");
  if (exists.value_or(true) && !entry.value()) {
    return InvalidForAttribute(exists ? "Value must be provided when Exists is true"
                                      : "Value must be provided when Exists is null",
                               entry);
  }
  if (!exists.value_or(true) && entry.value()) {
    return InvalidForAttribute("Value cannot be used when Exists is false", entry);
  }
  return {};
}

Result<const ComparisonRow*> CheckExpectedEntry(const ExpectedEntry& entry) {
  if (entry.has_list() && entry.value()) {
    return InvalidForAttribute("Value and AttributeValueList cannot be used together", entry);
  }
  if (const auto name = entry.object.String("ComparisonOperator")) {
    const ComparisonRow* comparison = FindComparison(*name);
    HR_RETURN_IF_ERROR(CheckComparison(entry, *comparison));
    return comparison;
  }
  HR_RETURN_IF_ERROR(CheckExistsOrValue(entry));
  return FindComparison(entry.value() ? "EQ" : "NULL");
}

Result<LegacyCondition> ReadExpectedEntry(const ExpectedEntry& entry, const Context& context) {
  auto comparison = CheckExpectedEntry(entry);
  if (!comparison.ok()) return Enveloped(context.layer, std::move(comparison).error());
  HR_ASSIGN(const auto values, ReadValues(entry.arguments(), context));
  const LegacyCondition condition{entry.attribute, *comparison, values};
  if (Status status = CheckBetweenBounds(condition); !status.ok()) {
    return Enveloped(context.layer, std::move(status).error());
  }
  return condition;
}

}  // namespace

Result<Condition> ReadExpected(const RequestObject& request, const Context& context) {
  const JsonValue* expected = request.Find("Expected");
  const auto entries = expected ? expected->members() : std::span<const JsonMember>();
  auto joined = ReadConditionalOperator(request, entries.size());
  if (!joined.ok()) return Enveloped(context.layer, std::move(joined).error());
  const auto conditions = context.arena.NewArray<LegacyCondition>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ExpectedEntry entry{entries[i].name, RequestObject(entries[i].value)};
    HR_ASSIGN(conditions[i], ReadExpectedEntry(entry, context));
  }
  return LowerConditions(conditions, *joined, context.arena);
}

namespace {

constexpr TypeMask kSetTypes =
    MaskOf(AttributeType::kSS) | MaskOf(AttributeType::kNS) | MaskOf(AttributeType::kBS);
constexpr TypeMask kAddedTypes = kSetTypes | MaskOf(AttributeType::kN) | MaskOf(AttributeType::kL);

// An entry of AttributeUpdates is read by the functions below (docs/service/09-legacy-api.md,
// section 5).
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
  return InvalidParameters(Concatenated(
      {is_delete ? "DELETE action with value is not supported" : "ADD action is not supported",
       " for the type ", TypeTag(type)}));
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
