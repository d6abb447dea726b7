#include "expression/condition.h"

#include <algorithm>
#include <string>

#include "base/text/text_encodings.h"
#include "expression/binding.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange {

// The binding: the checks that need names and values. The service checks one test after the other,
// in the order of the text, and within a test one rule after the other
// (docs/service/04-expressions.md, section 6, rows 5 to 12; section 7, stage A).

namespace {

// The operand type that a message names when the operand is not a value.
constexpr std::string_view kNotAValue = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

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
    if (std::ranges::find(kTypeTags, name) != std::end(kTypeTags)) return;
    BreakRule(Rule::kTypeName, "Invalid attribute type name found; type: " + std::string(name) +
                                   ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  }

  void CheckDistinct(const AstNode& node, std::string_view name) {
    const ConditionOperand& first = ChildOf(node, 0);
    const bool repeats = std::ranges::any_of(ast_.ChildrenOf(node).subspan(1), [&](std::size_t i) {
      return ast_.nodes[i].kind == AstNode::Kind::kPath &&
             std::ranges::equal(first.path, operands_[i].path);
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

// The evaluation on an item.

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

// The linking of the tests.

namespace {

// An Ast node while the tests are linked: the first test of the node, and the tests that
// follow once the node is true or false.
struct Link {
  ConditionNode* first = nullptr;
  const ConditionNode* if_true = &kConditionHolds;
  const ConditionNode* if_false = &kConditionFails;
};

bool IsTest(const AstNode& node) {
  if (node.kind == AstNode::Kind::kCall) return node.function->place == FunctionPlace::kCondition;
  return node.kind == AstNode::Kind::kOperator && node.op < Operator::kAnd;
}

bool IsLogic(const AstNode& node) {
  return node.kind == AstNode::Kind::kOperator && node.op >= Operator::kAnd;
}

ConditionNode* MakeTest(const Ast& ast, const AstNode& node,
                        std::span<const ConditionOperand> operands, std::span<const Link> links,
                        Arena& arena) {
  const std::span<const std::uint16_t> children = ast.ChildrenOf(node);
  const std::span<ConditionOperand> own = arena.NewArray<ConditionOperand>(children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    own[i] = operands[children[i]];
    // A condition that is an operand gets no links from a parent: its walk ends at its result.
    own[i].condition = links[children[i]].first;
  }
  ConditionNode* const test = arena.New<ConditionNode>();
  test->op = node.op;
  test->function = node.function;
  test->operands = own;
  return test;
}

// Sets the links of the children of an AND, OR or NOT, from the links of that node.
void LinkChildren(const Ast& ast, const AstNode& node, const Link& from, std::span<Link> links) {
  const std::span<const std::uint16_t> children = ast.ChildrenOf(node);
  Link& left = links[children.front()];
  Link& right = links[children.back()];
  switch (node.op) {
    case Operator::kAnd:
      left.if_true = right.first;
      left.if_false = from.if_false;
      break;
    case Operator::kOr:
      left.if_true = from.if_true;
      left.if_false = right.first;
      break;
    default:
      right.if_true = from.if_false;
      right.if_false = from.if_true;
      return;
  }
  right.if_true = from.if_true;
  right.if_false = from.if_false;
}

const ConditionNode* LinkTests(const Ast& ast, std::span<const ConditionOperand> operands,
                               Arena& arena) {
  const std::span<Link> links = arena.NewArray<Link>(ast.nodes.size());
  for (std::size_t i = 0; i < ast.nodes.size(); ++i) {
    const AstNode& node = ast.nodes[i];
    if (IsTest(node)) {
      links[i].first = MakeTest(ast, node, operands, links, arena);
    } else if (IsLogic(node)) {
      links[i].first = links[ast.ChildrenOf(node).front()].first;
    }
  }
  for (std::size_t i = ast.nodes.size(); i-- > 0;) {
    const AstNode& node = ast.nodes[i];
    if (IsTest(node)) {
      links[i].first->if_true = links[i].if_true;
      links[i].first->if_false = links[i].if_false;
    } else if (IsLogic(node)) {
      LinkChildren(ast, node, links[i], links);
    }
  }
  return links.back().first;
}

std::span<const Path> PathsOf(const Ast& ast, std::span<const ConditionOperand> operands,
                              Arena& arena) {
  const std::span<Path> paths = arena.NewArray<Path>(ast.nodes.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < ast.nodes.size(); ++i) {
    if (operands[i].form == ConditionOperand::Form::kPath) paths[count++] = operands[i].path;
  }
  return paths.first(count);
}

}  // namespace

Condition LinkCondition(const Ast& ast, std::span<const ConditionOperand> operands, Arena& arena) {
  if (ast.nodes.empty()) return {};
  return Condition(LinkTests(ast, operands, arena), PathsOf(ast, operands, arena));
}

Result<Condition> BindCondition(ExpressionKind kind, std::string_view text,
                                Placeholders& placeholders, Arena& arena) {
  HR_ASSIGN(const Ast* ast, ParseChecked(kind, text));
  HR_ASSIGN(const std::span<ConditionOperand> operands,
            BindOperands({kind, *ast, text, placeholders, arena}));
  return LinkCondition(*ast, operands, arena);
}

}  // namespace hashrange
