#include "expression/expression.h"
#include "expression/update.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

Error MissingOperand() {
  return ValidationError(
      "The provided expression refers to an attribute that does not exist in the item");
}

Result<UpdateValue> EvaluateArithmetic(const UpdateOperand& operand, const UpdateSource& source) {
  HR_ASSIGN(const UpdateValue first, Evaluate(*operand.first, source));
  HR_ASSIGN(const UpdateValue second, Evaluate(*operand.second, source));
  for (const UpdateValue* value : {&first, &second}) {
    if (value->first || value->value.type != AttributeType::kN) return IncorrectOperandType();
  }
  const Number a = Number::FromStored(first.value.bytes());
  const Number b = Number::FromStored(second.value.bytes());
  Number result;
  const NumberError error = operand.form == UpdateOperand::Form::kSum
                                ? Number::Add(a, b, &result)
                                : Number::Subtract(a, b, &result);
  if (error != NumberError::kNone) return ValidationError(NumberErrorMessage(error, {}));
  return UpdateValue{MakeNumber(result, source.arena), nullptr, nullptr};
}

// Returns the type of the operand, if it is known without an item. A call whose result has no
// fixed type has the type of its second operand. The recursion is no deeper than the number of
// operators that an expression may have.
std::optional<AttributeType> OperandType(const UpdateOperand& operand) {
  switch (operand.form) {
    case UpdateOperand::Form::kValue:
      return operand.value.type;
    case UpdateOperand::Form::kPath:
      return std::nullopt;
    case UpdateOperand::Form::kCall:
      return operand.function->result_type ? operand.function->result_type
                                           : OperandType(*operand.second);
    default:
      return AttributeType::kN;
  }
}

}  // namespace

std::optional<AttributeType> GivenType(const UpdateAction& action) {
  if (action.verb == UpdateVerb::kRemove || action.verb == UpdateVerb::kDelete) return std::nullopt;
  if (action.value) return action.value->type;
  return OperandType(*action.operand);
}

Error IncorrectOperandType() {
  return ValidationError("An operand in the update expression has an incorrect data type");
}

Error UpdatedItemTooLarge() {
  return ValidationError("Item size to update has exceeded the maximum allowed size");
}

std::optional<ValueView> UpdateSource::FindAttribute(std::string_view name) const {
  if (before.exists()) return before.Find(name);
  for (const Attribute& attribute : key) {
    if (attribute.name == name) return attribute.value;
  }
  return std::nullopt;
}

std::optional<ValueView> UpdateSource::Resolve(Path path) const {
  const std::optional<ValueView> attribute = FindAttribute(path.front().name);
  if (!attribute) return std::nullopt;
  return Descend(path.subspan(1), *attribute);
}

// The recursion is no deeper than the number of operators that an expression may have.
Result<UpdateValue> Evaluate(const UpdateOperand& operand, const UpdateSource& source) {
  switch (operand.form) {
    case UpdateOperand::Form::kValue:
      return UpdateValue{operand.value, nullptr, nullptr};
    case UpdateOperand::Form::kPath:
      if (const std::optional<ValueView> value = source.Resolve(operand.path)) {
        return UpdateValue{*value, nullptr, nullptr};
      }
      return MissingOperand();
    case UpdateOperand::Form::kCall:
      return operand.function->compute(*operand.first, *operand.second, source);
    default:
      return EvaluateArithmetic(operand, source);
  }
}

}  // namespace hashrange
