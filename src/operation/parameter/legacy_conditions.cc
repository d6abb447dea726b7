#include <optional>
#include <string>

#include "operation/call/invalid_parameters.h"
#include "operation/parameter/legacy_parameters.h"
#include "wire/attribute_json.h"
#include "wire/attribute_tag.h"

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
  const std::span<ValueView> values = context.arena.NewArray<ValueView>(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    HR_ASSIGN(values[i], ReadAttributeValue(list[i], context.layer, context.arena));
  }
  condition.values = values;
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

Status CheckArguments(const ComparisonRow& comparison, std::span<const JsonValue> values) {
  if (values.size() < comparison.min_values || values.size() > comparison.max_values) {
    return InvalidParameters(std::string("Invalid number of argument(s) for the ")
                                 .append(comparison.name)
                                 .append(" ComparisonOperator"));
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
  return InvalidParameters(std::string("ComparisonOperator ")
                               .append(comparison.name)
                               .append(" is not valid for ")
                               .append(TypeTag(*common))
                               .append(" AttributeValue type"));
}

Status CheckBetweenBounds(const LegacyCondition& condition) {
  if (condition.comparison->op != Operator::kBetween) return {};
  if (Compare(condition.values[0], condition.values[1]) <= 0) return {};
  return ValidationError(
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
      "bound");
}

Result<ConditionalOperator> ReadConditionalOperator(const RequestObject& request,
                                                    std::size_t condition_count) {
  const auto text = request.String("ConditionalOperator");
  if (text && condition_count < 2) {
    return ValidationError(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return text == "OR" ? ConditionalOperator::kOr : ConditionalOperator::kAnd;
}

Result<Condition> ReadLegacyFilter(const RequestObject& request, std::string_view member,
                                   const Context& context) {
  const JsonValue* filter = request.Find(member);
  const auto entries = filter ? filter->members() : std::span<const JsonMember>();
  // On the older layer, that of Scan, a value that is nested too deep is reported before the
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

}  // namespace hashrange
