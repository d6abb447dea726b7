// The key conditions in WHERE: the reads that a SELECT needs, and the item that the other
// statements name (docs/service/11-partiql.md, sections 4 and 5). Pure functions; what they return
// is stored in the arena.
//
//   pk = 'a' AND (sk < '3' OR sk > '7') AND n = 1
//     two branches: pk = 'a', sk < '3' and pk = 'a', sk > '7'; each filters by n = 1
#pragma once

#include <cstdint>
#include <span>

#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "expression/partiql/bound_statement.h"
#include "value/schema.h"

namespace hashrange::partiql {

// The most reads that one statement may need.
inline constexpr std::size_t kMaxBranches = 50;

// One alternative of WHERE. Each OR that mentions a key attribute, and each IN on a key attribute,
// splits WHERE into alternatives.
struct KeyBranch {
  // `=` on the HASH attribute, then all clauses on the RANGE attribute. All have to hold.
  std::span<const KeyClause> clauses;
  // The other conditions of the branch: nodes of statement->where.
  std::span<const std::uint16_t> filters;
  // No item matches: the branch requires two different values of the HASH attribute.
  bool is_empty = false;
  // A filter is a NOT or a <> on the RANGE attribute, a condition that no interval expresses.
  bool negates_range = false;
};

struct ReadPlan {
  // Whether every alternative of WHERE has an equality on the HASH attribute. Otherwise there are
  // no branches, and the read is a scan.
  bool is_keyed = false;
  // Each branch has an equality on the HASH attribute. A keyed WHERE has no branch, and no item
  // matches it, when it requires a key attribute to be IN an empty list.
  std::span<const KeyBranch> branches;
  // An OR is needed to find the HASH attribute's values: each of its sides has an equality on the
  // attribute, and no equality outside the OR requires a value for the whole WHERE. An IN counts as
  // an equality.
  bool is_through_or = false;

  // Whether WHERE names one item by its whole key, without any other condition.
  bool IsKeyOnly(const KeySchema& key) const;
  // Whether WHERE names one item by its whole key; other conditions are possible.
  bool IsOneItem(const KeySchema& key) const;
};

// Returns the reads of a SELECT. `key` has one HASH attribute and at most one RANGE attribute.
// Errors: ValidationException  a key attribute compared with a value of another type; too many
//         branches
Result<ReadPlan> PlanRead(const BoundStatement& bound, const KeySchema& key, Arena& arena);

// Returns the attributes that a node of WHERE and the nodes below it mention, in the order of the
// text.
std::span<const std::string_view> AttributesOf(const BoundStatement& bound, std::uint16_t node,
                                               Arena& arena);

// The equalities on key attributes that AND joins at the top of WHERE.
struct KeyMatch {
  std::span<const Attribute> key;     // ascending by name; the first value of each attribute
  bool is_whole = false;              // `key` has every key attribute
  const KeyPart* repeated = nullptr;  // a key attribute with two different values; null: none
  bool has_more = false;              // WHERE has conditions besides the key's equalities
  // The operands of WHERE for LinkCondition. They make the equalities of `key` true of every item,
  // so that the condition tests only the rest of WHERE.
  std::span<const ConditionOperand> rest;
};
// Returns the equalities by which WHERE names an item. An IN with one value is no equality here.
KeyMatch MatchKey(const BoundStatement& bound, const KeySchema& key, Arena& arena);

}  // namespace hashrange::partiql
