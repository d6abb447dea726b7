#include "expression/partiql/where_view.h"

#include <algorithm>

#include "expression/functions.h"

namespace hashrange::partiql {
namespace {

// Returns the operator of a comparison with the attribute on the left. `is_mirrored`: the attribute
// was written on the right, as in `v < a`, which is `a > v`.
KeyOperator KeyOperatorOf(Operator op, bool is_mirrored) {
  switch (op) {
    case Operator::kLess:
      return is_mirrored ? KeyOperator::kGreater : KeyOperator::kLess;
    case Operator::kLessOrEqual:
      return is_mirrored ? KeyOperator::kGreaterOrEqual : KeyOperator::kLessOrEqual;
    case Operator::kGreater:
      return is_mirrored ? KeyOperator::kLess : KeyOperator::kGreater;
    case Operator::kGreaterOrEqual:
      return is_mirrored ? KeyOperator::kLessOrEqual : KeyOperator::kGreaterOrEqual;
    default:
      return KeyOperator::kEqual;
  }
}

bool IsKeyComparison(const AstNode& node) {
  if (node.kind == AstNode::Kind::kCall) return node.function->name == "begins_with";
  return node.kind == AstNode::Kind::kOperator && node.op != Operator::kNotEqual &&
         node.op <= Operator::kBetween;
}

}  // namespace

std::uint16_t WhereView::FirstNode(std::uint16_t index) const {
  for (;;) {
    const AstNode& at = node(index);
    const bool has_children =
        (at.kind == AstNode::Kind::kCall || at.kind == AstNode::Kind::kOperator) && at.count > 0;
    if (!has_children) return index;
    index = ast_.ChildrenOf(at).front();
  }
}

bool WhereView::Mentions(std::uint16_t index, const KeySchema& key) const {
  for (std::uint16_t i = FirstNode(index); i <= index; ++i) {
    if (node(i).kind == AstNode::Kind::kPath && key.Find(RootAttribute(i))) return true;
  }
  return false;
}

bool WhereView::Mentions(std::uint16_t index, std::string_view attribute) const {
  for (std::uint16_t i = FirstNode(index); i <= index; ++i) {
    if (node(i).kind == AstNode::Kind::kPath && RootAttribute(i) == attribute) return true;
  }
  return false;
}

bool WhereView::IsValue(std::uint16_t index) const {
  return operands_[index].form == ConditionOperand::Form::kValue;
}

const KeyPart* WhereView::KeyPartOf(std::uint16_t index, const KeySchema& key) const {
  if (node(index).kind != AstNode::Kind::kPath || operands_[index].path.size() != 1) return nullptr;
  return key.Find(RootAttribute(index));
}

std::optional<KeyClause> WhereView::ClauseOf(const Atom& atom, const KeySchema& key) const {
  const AstNode& test = node(atom.node);
  if (atom.choice == 0 && !IsKeyComparison(test)) return std::nullopt;
  const std::span<const std::uint16_t> children = ast_.ChildrenOf(test);
  KeyClause clause;
  if (atom.choice > 0) {
    clause.attribute = RootAttribute(children[0]);
    clause.value = operands_[children[atom.choice]].value;
    return clause;
  }
  const bool is_comparator = test.kind == AstNode::Kind::kOperator && test.op != Operator::kBetween;
  const bool is_mirrored = is_comparator && IsValue(children[0]);
  const KeyPart* const part = KeyPartOf(children[is_mirrored ? 1 : 0], key);
  if (!part || !IsValue(children[is_mirrored ? 0 : 1])) return std::nullopt;
  clause.attribute = part->name;
  clause.value = operands_[children[is_mirrored ? 0 : 1]].value;
  if (test.kind == AstNode::Kind::kCall) {
    clause.op = KeyOperator::kBeginsWith;
  } else if (test.op == Operator::kBetween) {
    if (!IsValue(children[2])) return std::nullopt;
    clause.op = KeyOperator::kBetween;
    clause.upper = operands_[children[2]].value;
  } else {
    clause.op = KeyOperatorOf(test.op, is_mirrored);
  }
  return clause;
}

bool WhereView::IsKeyIn(std::uint16_t index, const KeySchema& key) const {
  if (!IsOperator(index, Operator::kIn)) return false;
  const std::span<const std::uint16_t> children = ast_.ChildrenOf(node(index));
  return KeyPartOf(children[0], key) &&
         std::ranges::all_of(children.subspan(1), [&](auto child) { return IsValue(child); });
}

std::span<const std::uint16_t> WhereView::Conjuncts(Arena& arena) const {
  if (ast_.nodes.empty()) return {};
  const std::span<std::uint16_t> conjuncts = arena.NewArray<std::uint16_t>(ast_.nodes.size());
  const std::span<std::uint16_t> open = arena.NewArray<std::uint16_t>(ast_.nodes.size());
  std::size_t count = 0;
  std::size_t open_count = 1;
  open[0] = root();
  while (open_count > 0) {
    const std::uint16_t index = open[--open_count];
    if (!IsOperator(index, Operator::kAnd)) {
      conjuncts[count++] = index;
      continue;
    }
    open[open_count++] = ast_.ChildrenOf(node(index))[1];
    open[open_count++] = ast_.ChildrenOf(node(index))[0];
  }
  return conjuncts.first(count);
}

}  // namespace hashrange::partiql
