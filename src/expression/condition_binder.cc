// The checks of conditions that need names and values. The service checks one test after
// the other, in the order of the text, and within a test one rule after the other
// (docs/service/04-expressions.md, section 6, rows 5 to 12; section 7, stage A).
#include <algorithm>
#include <string>

#include "base/text_encodings.h"
#include "expression/binding.h"
#include "expression/condition.h"
#include "value/number.h"

namespace hashrange {
namespace {

// The operand type that a message names when the operand is not a value.
constexpr std::string_view kNotAValue = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

bool IsTypeName(std::string_view name) {
  for (const std::string_view tag : kTypeTags) {
    if (tag == name) return true;
  }
  return false;
}

// Returns "AttributeValue: {N:1}" for a value of type S, N or B.
std::string PrintValue(ValueView value) {
  std::string text = "AttributeValue: {";
  text += TypeTag(value.type);
  text += ':';
  if (value.type == AttributeType::kN) {
    char digits[Number::kMaxTextBytes];
    text.append(digits, static_cast<std::size_t>(WriteNumberText(value.bytes(), digits)));
  } else if (value.type == AttributeType::kB) {
    const std::size_t begin = text.size();
    text.resize(begin + Base64Length(value.size));
    EncodeBase64(value.bytes(), text.data() + begin);
  } else {
    text += value.bytes();
  }
  return text + '}';
}

bool SamePath(Path a, Path b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

class ConditionChecker {
 public:
  explicit ConditionChecker(const AstBinding& from)
      : from_(from),
        ast_(from.ast),
        operands_(from.arena.NewArray<ConditionOperand>(from.ast.nodes.size())) {}

  Result<std::span<ConditionOperand>> Bind() {
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) HR_RETURN_IF_ERROR(BindNode(i));
    return operands_;
  }

 private:
  // The rules of a test. When several are broken, the first in this order is reported.
  enum class Rule { kOperandCount, kDistinct, kPath, kType, kBounds, kTypeName, kNone };

  Status BindNode(std::size_t i) {
    const AstNode& node = ast_.nodes[i];
    ConditionOperand& operand = operands_[i];
    switch (node.kind) {
      case AstNode::Kind::kPath: {
        operand.form = ConditionOperand::Form::kPath;
        HR_ASSIGN(operand.path, BindPath(from_, node));
        return {};
      }
      case AstNode::Kind::kValue: {
        HR_ASSIGN(operand.value, BindValue(from_, node));
        return {};
      }
      case AstNode::Kind::kCall:
        CheckCall(node);
        operand.form = ConditionOperand::Form::kCondition;
        if (node.function->place == FunctionPlace::kConditionOperand) {
          if (broken_ == Rule::kNone) MakeCallOperand(node, &operand);
          return {};
        }
        break;
      case AstNode::Kind::kOperator:
        operand.form = ConditionOperand::Form::kCondition;
        if (node.op >= Operator::kAnd) return {};
        CheckOperator(node);
        break;
    }
    if (broken_ != Rule::kNone) return ExpressionError(from_.kind, message_);
    return {};
  }

  // A call on a value has the same result on every item: it is evaluated here, once.
  void MakeCallOperand(const AstNode& node, ConditionOperand* operand) {
    const ConditionOperand& argument = ChildOf(node, 0);
    operand->form = ConditionOperand::Form::kCall;
    operand->function = node.function;
    operand->path = argument.path;
    if (argument.form == ConditionOperand::Form::kPath) return;
    operand->form = ConditionOperand::Form::kValue;
    if (const std::optional<Number> result = node.function->measure(argument.value)) {
      operand->value = {AttributeType::kN, from_.arena.Copy(result->stored())};
    }
  }

  const ConditionOperand& ChildOf(const AstNode& node, std::size_t i) const {
    return operands_[ast_.ChildrenOf(node)[i]];
  }
  bool ChildIsTest(const AstNode& node, std::size_t i) const {
    const FunctionRow* const function = ast_.nodes[ast_.ChildrenOf(node)[i]].function;
    return function && function->place == FunctionPlace::kCondition;
  }
  std::optional<AttributeType> ChildType(const AstNode& node, std::size_t i) const {
    const AstNode& child = ast_.nodes[ast_.ChildrenOf(node)[i]];
    const bool measures = child.kind == AstNode::Kind::kCall &&
                          child.function->place == FunctionPlace::kConditionOperand;
    return measures ? AttributeType::kN : ChildOf(node, i).type();
  }

  void BreakRule(Rule rule, std::string message) {
    if (rule >= broken_) return;
    broken_ = rule;
    message_ = std::move(message);
  }

  void CheckCall(const AstNode& node) {
    const FunctionRow& function = *node.function;
    if (node.count != function.arity) {
      BreakRule(Rule::kOperandCount, IncorrectOperandCountText(function.name, node.count));
      return;
    }
    if (node.count == 2) CheckDistinct(node, function.name);
    for (std::size_t i = 0; i < node.count; ++i) CheckArgument(node, i);
  }

  void CheckArgument(const AstNode& node, std::size_t i) {
    const FunctionRow& function = *node.function;
    const ArgumentRule& rule = function.arguments[i];
    const bool is_path = ast_.nodes[ast_.ChildrenOf(node)[i]].kind == AstNode::Kind::kPath;
    if (rule.form == ArgumentForm::kPath) {
      if (!is_path) BreakRule(Rule::kPath, PathRequiredText(function.name));
      return;
    }
    if (rule.form == ArgumentForm::kTypeName && (is_path || ChildIsTest(node, i))) {
      BreakRule(Rule::kType, IncorrectOperandTypeText(function.name, kNotAValue));
      return;
    }
    const std::optional<AttributeType> type = ChildType(node, i);
    if (type && !Allows(rule.types, *type)) {
      BreakRule(Rule::kType, IncorrectOperandTypeText(function.name, TypeTag(*type)));
    } else if (rule.form == ArgumentForm::kTypeName) {
      CheckTypeName(ChildOf(node, i).value.bytes());
    }
  }

  void CheckTypeName(std::string_view name) {
    if (IsTypeName(name)) return;
    BreakRule(Rule::kTypeName, "Invalid attribute type name found; type: " + std::string(name) +
                                   ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  }

  void CheckDistinct(const AstNode& node, std::string_view name) {
    const ConditionOperand& first = ChildOf(node, 0);
    const bool repeats = std::ranges::any_of(ast_.ChildrenOf(node).subspan(1), [&](std::size_t i) {
      return ast_.nodes[i].kind == AstNode::Kind::kPath && SamePath(first.path, operands_[i].path);
    });
    if (ast_.nodes[ast_.ChildrenOf(node)[0]].kind != AstNode::Kind::kPath || !repeats) return;
    BreakRule(Rule::kDistinct,
              "The first operand must be distinct from the remaining operands for this operator or "
              "function; operator: " +
                  std::string(name) + ", first operand: " + PrintPath(first.path));
  }

  void CheckOperator(const AstNode& node) {
    CheckDistinct(node, OperatorName(node.op));
    if (node.op < Operator::kLess || node.op > Operator::kBetween) return;
    for (std::size_t i = 0; i < node.count; ++i) {
      const std::optional<AttributeType> type = ChildType(node, i);
      if (type && !Allows(kOrderedTypes, *type)) {
        BreakRule(Rule::kType, IncorrectOperandTypeText(OperatorName(node.op), TypeTag(*type)));
      }
    }
    if (node.op == Operator::kBetween && broken_ == Rule::kNone) CheckBounds(node);
  }

  void CheckBounds(const AstNode& node) {
    for (const std::size_t i : {1, 2}) {
      if (ast_.nodes[ast_.ChildrenOf(node)[i]].kind != AstNode::Kind::kValue) return;
    }
    const ValueView lower = ChildOf(node, 1).value;
    const ValueView upper = ChildOf(node, 2).value;
    const std::string_view wanted =
        lower.type != upper.type    ? "same data type for lower and upper bounds"
        : Compare(lower, upper) > 0 ? "upper bound to be greater than or equal to lower bound"
                                    : std::string_view();
    if (wanted.empty()) return;
    BreakRule(Rule::kBounds, "The BETWEEN operator requires " + std::string(wanted) +
                                 "; lower bound operand: " + PrintValue(lower) +
                                 ", upper bound operand: " + PrintValue(upper));
  }

  const AstBinding& from_;
  const Ast& ast_;
  const std::span<ConditionOperand> operands_;
  // The first rule, in the order of `Rule`, that the current test or a call nested in it breaks.
  Rule broken_ = Rule::kNone;
  std::string message_;
};

}  // namespace

Result<std::span<ConditionOperand>> BindOperands(const AstBinding& from) {
  return ConditionChecker(from).Bind();
}

}  // namespace hashrange
