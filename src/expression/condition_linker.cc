// Makes the walk of a condition from its checked operands: each test is linked to the two
// tests that may follow it.
#include "expression/binding.h"
#include "expression/condition.h"

namespace hashrange {
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
            BindOperands(kind, *ast, text, placeholders, arena));
  return LinkCondition(*ast, operands, arena);
}

}  // namespace hashrange
