// What WHERE says of a key: which reads a SELECT comes to, and which item the other statements
// are about (docs/service/11-partiql.md, sections 4 and 5). Pure functions; what they give lives in
// the arena.
//
//   pk = 'a' AND (sk < '3' OR sk > '7') AND n = 1
//     two branches: pk = 'a', sk < '3' and pk = 'a', sk > '7'; each filters by n = 1
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "partiql/bound_statement.h"
#include "value/schema.h"

namespace hashrange::partiql {

// The most reads that one statement may come to.
inline constexpr std::size_t kMaxBranches = 50;

// One of the conditions that OR and IN on key attributes join.
struct KeyBranch {
  // `=` on the HASH attribute, then what there is on the RANGE attribute, all of it to hold.
  std::span<const KeyClause> clauses;
  // The rest of it: nodes of statement->where.
  std::span<const std::uint16_t> filters;
  bool is_empty = false;       // it asks for two values of the HASH attribute
  bool negates_range = false;  // with NOT or <>, which no range expresses
};

struct ReadPlan {
  // Every branch has its HASH attribute; there are none where one has not: then it is a scan.
  std::span<const KeyBranch> branches;
  // OR joins equalities on the HASH attribute, and nothing else says what it is.
  bool is_through_or = false;

  bool is_keyed() const { return !branches.empty(); }
  // All it asks is one item by its whole key.
  bool IsKeyOnly(const KeySchema& key) const;
  // It asks for one item by its whole key, and may ask more of it.
  bool IsOneItem(const KeySchema& key) const;
};

// `key` has one HASH attribute and at most one RANGE attribute.
// Errors: ValidationException  a key attribute compared with a value of another type; too many
//         branches
Result<ReadPlan> PlanRead(const BoundStatement& bound, const KeySchema& key, Arena& arena);

// The attributes that a node of WHERE and what is below it mention, in the order of the text.
std::span<const std::string_view> AttributesOf(const BoundStatement& bound, std::uint16_t node,
                                               Arena& arena);

// The equalities on key attributes that AND joins at the top of WHERE.
struct KeyMatch {
  std::span<const Attribute> key;     // ascending by name; the first value of each attribute
  bool is_whole = false;              // every key attribute is there
  const KeyPart* repeated = nullptr;  // one that is compared with another value, too
  bool has_more = false;              // WHERE asks more than the key
  // Of WHERE, with those equalities true of every item: what LinkCondition takes.
  std::span<const ConditionOperand> rest;
};
KeyMatch MatchKey(const BoundStatement& bound, const KeySchema& key, Arena& arena);

}  // namespace hashrange::partiql
