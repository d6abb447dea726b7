#include "expression/condition.h"

#include <algorithm>

#include "expression/binding.h"
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
