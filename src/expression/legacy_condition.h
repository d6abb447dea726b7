// Legacy conditions: Expected, QueryFilter, ScanFilter and KeyConditions, before there were
// expressions (docs/service/09-legacy-api.md, sections 2 to 4, 6 and 7). One row a
// ComparisonOperator; lowered to the same bound forms as expressions, so that everything behind
// them is shared.
//
//   {"a": EQ 1, "b": CONTAINS "x"} joined by AND   →   a = 1 AND contains(b, "x")
//   {"b": NOT_CONTAINS "x"}                        →   attribute_exists(b) AND NOT contains(b, "x")
//   {"PK": EQ "u", "SK": BEGINS_WITH "o"}          →   PK = "u" AND begins_with(SK, "o")
//
// Pure functions; what they make lives in the arena and points into the request.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "expression/ast.h"
#include "expression/expression.h"
#include "expression/functions.h"

namespace hashrange {

struct ComparisonRow {
  std::string_view name;  // "EQ"
  std::size_t min_values;
  std::size_t max_values;
  // The test it stands for: `function` when it has one, else `op`.
  std::string_view function;
  // As a key condition; kNotIndexable when no key takes it.
  KeyOperator key_op;
  TypeMask types;  // that its values may have
  Operator op;
  bool is_negated;  // false where the test holds, and on a missing attribute
};

// The row of that ComparisonOperator, or null.
const ComparisonRow* FindComparison(std::string_view name);

// One attribute's condition. The values are as many and of such types as the row allows.
struct LegacyCondition {
  std::string_view attribute;  // top level: a dot is part of the name
  const ComparisonRow* comparison = nullptr;
  std::span<const ValueView> values;
};

enum class ConditionalOperator { kAnd, kOr };

// True when all hold or, with OR, when any does; always true without conditions.
// Cost: linear; the values of an IN are sorted, and then searched for each item.
Condition LowerConditions(std::span<const LegacyCondition> conditions, ConditionalOperator joined,
                          Arena& arena);

// The clauses of a key condition, in the same order.
std::span<const KeyClause> LowerKeyConditions(std::span<const LegacyCondition> conditions,
                                              Arena& arena);

}  // namespace hashrange
