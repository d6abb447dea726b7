// Expected (docs/service/09-legacy-api.md, section 4).
#include <string>

#include "operation/call/invalid_parameters.h"
#include "operation/parameter/legacy_parameters.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

// One attribute's entry in Expected, as sent.
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

// Checks an entry with a ComparisonOperator: rows 2 to 4 of section 4, except BETWEEN's bounds.
Status CheckComparison(const ExpectedEntry& entry, const ComparisonRow& comparison) {
  if (entry.object.Has("Exists")) {
    return InvalidForAttribute("Exists and ComparisonOperator cannot be used together", entry);
  }
  if (comparison.min_values > 0 && !entry.value() && !entry.has_list()) {
    return InvalidForAttribute(
        std::string("Value or AttributeValueList must be used with ComparisonOperator: ")
            .append(comparison.name),
        entry);
  }
  return CheckArguments(comparison, entry.arguments());
}

// Checks an entry that has no ComparisonOperator: rows 5 to 7 of section 4.
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
  const std::span<const JsonValue> arguments = entry.arguments();
  const std::span<ValueView> values = context.arena.NewArray<ValueView>(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    HR_ASSIGN(values[i], ReadAttributeValue(arguments[i], context.layer, context.arena));
  }
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

}  // namespace hashrange
