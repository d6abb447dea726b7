#include "expression/condition.h"

#include <algorithm>

#include "value/value_writer.h"

namespace hashrange {

const ConditionNode kConditionHolds;
const ConditionNode kConditionFails;

namespace {

// Returns the operand's value on the item. The result of a call is stored in `scratch`.
std::optional<ValueView> OperandValue(const ConditionOperand& operand, ItemView item,
                                      Number* scratch) {
  switch (operand.form) {
    case ConditionOperand::Form::kValue:
    case ConditionOperand::Form::kKeyValue:
      return operand.value;
    case ConditionOperand::Form::kPath:
      return Resolve(operand.path, item);
    case ConditionOperand::Form::kCondition:
      // The recursion is no deeper than the number of operators that an expression may have.
      return MakeBool(Condition(operand.condition, {}).Matches(item));
    case ConditionOperand::Form::kCall:
      break;
  }
  const std::optional<Number> result = operand.function->measure(Resolve(operand.path, item));
  if (!result) return std::nullopt;
  *scratch = *result;
  return ValueView(AttributeType::kN, scratch->stored());
}

bool InOrder(Operator op, const ValueView& a, const ValueView& b) {
  if (a.type != b.type || !IsScalarKey(a.type)) return false;
  const int order = Compare(a, b);
  switch (op) {
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool IsBetween(const ConditionNode& test, const ValueView& value, ItemView item) {
  Number scratch;
  const std::optional<ValueView> lower = OperandValue(test.operands[1], item, &scratch);
  if (!lower || !InOrder(Operator::kGreaterOrEqual, value, *lower)) return false;
  const std::optional<ValueView> upper = OperandValue(test.operands[2], item, &scratch);
  return upper && InOrder(Operator::kLessOrEqual, value, *upper);
}

bool IsIn(const ConditionNode& test, const ValueView& value, ItemView item) {
  if (!test.listed.empty()) {
    return value.type == test.listed.front().type &&
           std::ranges::binary_search(test.listed, value.bytes(), {}, &ValueView::bytes);
  }
  for (const ConditionOperand& operand : test.operands.subspan(1)) {
    Number scratch;
    const std::optional<ValueView> listed = OperandValue(operand, item, &scratch);
    if (listed && *listed == value) return true;
  }
  return false;
}

bool Holds(const ConditionNode& test, ItemView item) {
  Number first_scratch;
  Number second_scratch;
  const std::optional<ValueView> first = OperandValue(test.operands[0], item, &first_scratch);
  if (!test.function) {
    if (test.op == Operator::kBetween) return first && IsBetween(test, *first, item);
    if (test.op == Operator::kIn) return first && IsIn(test, *first, item);
  }
  std::optional<ValueView> second;
  if (test.operands.size() > 1) second = OperandValue(test.operands[1], item, &second_scratch);
  if (test.function) return test.function->holds(first, second);
  const bool equal = first && second && *first == *second;
  if (test.op == Operator::kEqual) return equal;
  if (test.op == Operator::kNotEqual) return !equal;
  return first && second && InOrder(test.op, *first, *second);
}

}  // namespace

bool Condition::Matches(ItemView item) const {
  if (!root_) return true;
  const ConditionNode* at = root_;
  while (at != &kConditionHolds && at != &kConditionFails) {
    at = Holds(*at, item) ? at->if_true : at->if_false;
  }
  return at == &kConditionHolds;
}

}  // namespace hashrange
