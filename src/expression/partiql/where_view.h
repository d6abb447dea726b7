// WhereView: reads the bound WHERE of a statement as comparisons of attributes with values. Used
// by the planning of key conditions (key_plan.cc, branches.cc). Immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expression/partiql/bound_statement.h"
#include "expression/partiql/key_plan.h"
#include "value/schema.h"

namespace hashrange::partiql {

// A node of WHERE or, when the node is `a IN (…)` on a key attribute, one value of its list.
struct Atom {
  std::uint16_t node = 0;
  std::uint16_t choice = 0;  // which child is the value; 0: the whole node
};

class WhereView {
 public:
  explicit WhereView(const BoundStatement& bound)
      : ast_(bound.statement->where), operands_(bound.operands) {}

  const Ast& ast() const { return ast_; }
  const AstNode& node(std::uint16_t index) const { return ast_.nodes[index]; }
  std::uint16_t root() const { return static_cast<std::uint16_t>(ast_.nodes.size() - 1); }
  bool IsOperator(std::uint16_t index, Operator op) const {
    return node(index).kind == AstNode::Kind::kOperator && node(index).op == op;
  }

  // Returns the first node of the subtree whose root is `index`. The nodes of the subtree are all
  // those from there to `index`.
  std::uint16_t FirstNode(std::uint16_t index) const;
  // Whether a path of that subtree begins with an attribute of the key, or with `attribute`.
  bool Mentions(std::uint16_t index, const KeySchema& key) const;
  bool Mentions(std::uint16_t index, std::string_view attribute) const;
  // Returns the attribute with which a path begins.
  std::string_view RootAttribute(std::uint16_t path) const { return operands_[path].path[0].name; }

  // Returns the atom as a clause of a key condition; none when the atom does not compare a whole
  // key attribute with values by an operator that a key condition may have.
  std::optional<KeyClause> ClauseOf(const Atom& atom, const KeySchema& key) const;
  // Whether the node is an IN of values on an attribute of the key.
  bool IsKeyIn(std::uint16_t index, const KeySchema& key) const;

  // Returns the conditions that AND joins below the root, in the order of the text.
  std::span<const std::uint16_t> Conjuncts(Arena& arena) const;

 private:
  bool IsValue(std::uint16_t index) const;
  // Returns the key attribute that the path names; null when the node is no path, or when the path
  // is longer than a name or names no key attribute.
  const KeyPart* KeyPartOf(std::uint16_t index, const KeySchema& key) const;

  const Ast& ast_;
  const std::span<const ConditionOperand> operands_;
};

// Returns the branches of WHERE, each as the atoms that have to hold. The caller has checked that
// every alternative of WHERE has an equality on the HASH attribute.
// Errors: ValidationException  more than kMaxBranches
Result<std::vector<std::vector<Atom>>> BranchesOf(const WhereView& where, const KeySchema& key);

}  // namespace hashrange::partiql
