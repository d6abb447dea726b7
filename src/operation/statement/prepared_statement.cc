#include "operation/statement/prepared_statement.h"

#include <utility>

#include "operation/read/page.h"
#include "wire/attribute_json.h"
#include "wire/older_number.h"

namespace hashrange {
namespace {

// Checks a number of a parameter. The service reads it as a decimal with a 32-bit exponent.
Status CheckNumber(std::string_view text) {
  Number number;
  const NumberError error =
      FitsDecimal(text) ? ParseOlderNumber(text, &number) : NumberError::kNotANumber;
  if (error == NumberError::kNone) return {};
  if (text.empty()) {
    return ValidationError("The parameter cannot be converted to a numeric value");
  }
  return ValidationError(NumberErrorMessage(error, text));
}

// Returns the first error in the order of the request: a text is not a valid number, or a value has
// more than `levels` levels.
Status CheckNumbersAndDepth(const JsonValue& value, int levels) {
  if (value.is_null()) return {};
  if (levels == 0) {
    return ValidationError(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
        "beyond supported limit");
  }
  for (const JsonMember& tag : value.members()) {
    const auto type = TypeOfTag(tag.name);
    if (type == AttributeType::kN) {
      HR_RETURN_IF_ERROR(CheckNumber(tag.value.string()));
    } else if (type == AttributeType::kNS) {
      for (const JsonValue& member : tag.value.elements()) {
        if (!member.is_null()) HR_RETURN_IF_ERROR(CheckNumber(member.string()));
      }
    } else if (type == AttributeType::kL) {
      for (const JsonValue& element : tag.value.elements()) {
        HR_RETURN_IF_ERROR(CheckNumbersAndDepth(element, levels - 1));
      }
    } else if (type == AttributeType::kM) {
      for (const JsonMember& entry : tag.value.members()) {
        HR_RETURN_IF_ERROR(CheckNumbersAndDepth(entry.value, levels - 1));
      }
    }
  }
  return {};
}

bool HasMultiAttributeKey(const IndexVersion& index) {
  return index.schema.key.hash.size() > 1 || index.schema.key.range.size() > 1;
}

}  // namespace

Result<std::span<const ValueView>> ReadParameters(const RequestObject& request,
                                                  const Context& context) {
  const auto elements = request.List("Parameters");
  const std::span<ValueView> values = context.arena.NewArray<ValueView>(elements.size());
  for (const JsonValue& element : elements) {
    HR_RETURN_IF_ERROR(CheckNumbersAndDepth(element, kMaxDepth));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    HR_ASSIGN(values[i], ReadAttributeValue(elements[i], ValidationLayer::kOlder, context.arena));
  }
  return std::span<const ValueView>(values);
}

Result<PreparedStatement> PrepareStatement(const RequestObject& request, const Context& context) {
  PreparedStatement prepared;
  HR_ASSIGN(prepared.parameters, ReadParameters(request, context));
  prepared.statement = partiql::CachedStatement(*request.String("Statement"));
  if (!prepared.statement->error.empty()) return ValidationError(prepared.statement->error);
  return prepared;
}

Error ExistsOutsideTransaction() {
  return ValidationError("Unrecognized function: exists at 1:1:6");
}

Result<LocatedStatement> LocateRead(const Context& context, const PreparedStatement& prepared,
                                    Result<TableRef> table) {
  const partiql::Statement& statement = *prepared.statement;
  const IndexVersion* const index =
      table.ok() && statement.has_index ? (*table)->FindIndex(statement.index) : nullptr;
  if (index && HasMultiAttributeKey(*index)) {
    return ValidationError(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
        "multi-attribute RANGE keys.");
  }
  LocatedStatement located;
  HR_ASSIGN(located.bound,
            partiql::BindStatement(prepared.statement, prepared.parameters, context.arena));
  HR_ASSIGN(located.table, std::move(table));
  located.index = index;
  if (statement.has_index && (!index || index->is_allocating())) {
    return ValidationError("The table does not have the specified index");
  }
  if (index && index->schema.is_vector()) return ScanNotSupported();
  if (index) HR_RETURN_IF_ERROR(CheckBackfilled(*index));
  return located;
}

}  // namespace hashrange
