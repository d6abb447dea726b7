// WhereView: the bound WHERE of a statement as tests of attributes by values. Used by the
// planning of key conditions (key_plan.cc, branches.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "partiql/bound_statement.h"
#include "partiql/key_plan.h"
#include "value/schema.h"

namespace hashrange::partiql {

// A node of WHERE; of `a IN (…)` on a key attribute one of its values.
struct Atom {
  std::uint16_t node = 0;
  std::uint16_t choice = 0;  // which child; 0: it is not such an IN
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

  // The first node of what stands below `index`, itself included; they stand in a row.
  std::uint16_t FirstNode(std::uint16_t index) const;
  // Whether a path below it begins with an attribute of the key, or with this one.
  bool Mentions(std::uint16_t index, const KeySchema& key) const;
  bool Mentions(std::uint16_t index, std::string_view attribute) const;
  std::string_view RootAttribute(std::uint16_t path) const { return operands_[path].path[0].name; }

  // The test as a clause on one of the key's attributes; none when it is no such test.
  std::optional<KeyClause> ClauseOf(const Atom& atom, const KeySchema& key) const;
  // An IN of values on an attribute of the key.
  bool IsKeyIn(std::uint16_t index, const KeySchema& key) const;

  // What AND joins below `root`, in the order of the text.
  std::span<const std::uint16_t> Conjuncts(Arena& arena) const;

  std::span<const ConditionOperand> operands() const { return operands_; }

 private:
  bool IsValue(std::uint16_t index) const;
  // The key attribute that is all of the path, or null.
  const KeyPart* KeyPartOf(std::uint16_t index, const KeySchema& key) const;

  const Ast& ast_;
  const std::span<const ConditionOperand> operands_;
};

// The branches of a WHERE all of which have the HASH attribute.
// Errors: ValidationException  too many of them
Result<std::vector<std::vector<Atom>>> BranchesOf(const WhereView& where, const KeySchema& key);

}  // namespace hashrange::partiql
