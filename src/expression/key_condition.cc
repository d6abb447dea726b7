// Stage B of a key condition: the checks of its structure (docs/service/04-expressions.md,
// section 7).
#include <string>
#include <utility>

#include "expression/binding.h"
#include "expression/condition.h"

namespace hashrange {
namespace {

constexpr std::string_view kBeginsWith = "begins_with";

Error InvalidOperator(std::string_view name) {
  return ValidationError("Invalid operator used in KeyConditionExpression: " + std::string(name));
}
Error InvalidCondition(std::string_view why) {
  return ValidationError("Invalid condition in KeyConditionExpression: " + std::string(why));
}

class KeyConditionReader {
 public:
  KeyConditionReader(const Ast& ast, std::span<const ConditionOperand> operands, Arena& arena)
      : ast_(ast),
        operands_(operands),
        is_clause_(arena.NewArray<bool>(ast.nodes.size())),
        clauses_(arena.NewArray<KeyClause>(ast.nodes.size())) {}

  Result<std::span<const KeyClause>> ReadClauses() {
    FindClauses();
    for (std::size_t i = 0; i < ast_.nodes.size(); ++i) {
      if (is_clause_[i]) HR_RETURN_IF_ERROR(ReadClause(ast_.nodes[i]));
    }
    return std::span<const KeyClause>(clauses_.first(count_));
  }

 private:
  using Form = ConditionOperand::Form;

  // Marks the clauses: the tests that the ANDs at the top join. The loop runs backward, as the
  // children of a node come before the node.
  void FindClauses() {
    is_clause_.back() = true;
    for (std::size_t i = ast_.nodes.size(); i-- > 0;) {
      const AstNode& node = ast_.nodes[i];
      const bool is_and = node.kind == AstNode::Kind::kOperator && node.op == Operator::kAnd;
      if (!is_clause_[i] || !is_and) continue;
      is_clause_[i] = false;
      for (const std::uint16_t child : ast_.ChildrenOf(node)) is_clause_[child] = true;
    }
  }

  Status ReadClause(const AstNode& node) {
    if (node.kind == AstNode::Kind::kCall) {
      if (node.function->name != kBeginsWith) return InvalidOperator(node.function->name);
    } else if (node.op == Operator::kNotEqual || node.op > Operator::kBetween) {
      return InvalidOperator(OperatorName(node.op));
    }
    const ConditionOperand* attribute = nullptr;
    for (const std::uint16_t child : ast_.ChildrenOf(node)) {
      HR_RETURN_IF_ERROR(CheckOperand(node, child, attribute != nullptr));
      if (operands_[child].form == Form::kPath) attribute = &operands_[child];
    }
    if (!attribute) return InvalidCondition("No key attribute specified");
    return AddClause(node, attribute->path.front().name);
  }

  // Checks one operand of a clause. The operands are checked from left to right, since the first
  // error is reported. `has_attribute`: an operand further left in the clause is a path.
  Status CheckOperand(const AstNode& node, std::uint16_t child, bool has_attribute) const {
    if (ast_.nodes[child].kind == AstNode::Kind::kCall) {
      return ValidationError("KeyConditionExpressions cannot contain nested operations");
    }
    const bool is_path = operands_[child].form == Form::kPath;
    if (is_path && has_attribute) {
      return InvalidCondition("Multiple attribute names used in one condition");
    }
    if (is_path && operands_[child].path.size() > 1) {
      return ExpressionError(ExpressionKind::kKeyCondition,
                             "KeyConditionExpressions cannot have conditions on nested attributes");
    }
    const bool is_call = node.kind == AstNode::Kind::kCall;
    if (!is_path && !has_attribute && (is_call || node.op == Operator::kBetween)) {
      return InvalidCondition(std::string(is_call ? kBeginsWith : OperatorName(node.op)) +
                              " operator must have the key attribute as its first operand");
    }
    return {};
  }

  Status AddClause(const AstNode& node, std::string_view attribute) {
    const std::span<const std::uint16_t> children = ast_.ChildrenOf(node);
    const bool path_first = operands_[children[0]].form == Form::kPath;
    KeyClause clause;
    clause.attribute = attribute;
    clause.value = operands_[children[path_first ? 1 : 0]].value;
    if (node.kind == AstNode::Kind::kCall) {
      clause.op = KeyOperator::kBeginsWith;
    } else {
      clause.op = KeyOperatorOf(node.op, !path_first);
    }
    if (clause.op == KeyOperator::kBetween) clause.upper = operands_[children[2]].value;
    for (const KeyClause& earlier : clauses_.first(count_)) {
      if (earlier.attribute != clause.attribute) continue;
      return ExpressionError(ExpressionKind::kKeyCondition,
                             "KeyConditionExpressions must only contain one condition per key");
    }
    clauses_[count_++] = clause;
    return {};
  }

  const Ast& ast_;
  const std::span<const ConditionOperand> operands_;
  const std::span<bool> is_clause_;
  const std::span<KeyClause> clauses_;
  std::size_t count_ = 0;
};

}  // namespace

Result<std::span<const KeyClause>> BindKeyCondition(std::string_view text,
                                                    Placeholders& placeholders, Arena& arena,
                                                    Status* structure) {
  HR_ASSIGN(const Ast* ast, ParseChecked(ExpressionKind::kKeyCondition, text));
  HR_ASSIGN(const std::span<ConditionOperand> operands,
            BindOperands({ExpressionKind::kKeyCondition, *ast, text, placeholders, arena}));
  auto clauses = KeyConditionReader(*ast, operands, arena).ReadClauses();
  if (clauses.ok()) return clauses;
  *structure = std::move(clauses).error();
  return std::span<const KeyClause>();
}

}  // namespace hashrange
