// The lowering of what requests had before there were expressions: Expected, QueryFilter,
// ScanFilter, KeyConditions and AttributeUpdates (docs/service/09-legacy-api.md, sections 2 to 7).
// Each ComparisonOperator has one row. All are lowered to the same bound forms as expressions, so
// that all that follows the binding is shared.
//
//   {"a": EQ 1, "b": CONTAINS "x"} joined by AND   →   a = 1 AND contains(b, "x")
//   {"b": NOT_CONTAINS "x"}                        →   attribute_exists(b) AND NOT contains(b, "x")
//   {"PK": EQ "u", "SK": BEGINS_WITH "o"}          →   PK = "u" AND begins_with(SK, "o")
//
// Pure functions; what they return is stored in the arena and points into the request.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "expression/expression.h"
#include "expression/functions.h"
#include "expression/parser.h"

namespace hashrange {

struct ComparisonRow {
  std::string_view name;  // "EQ"
  std::size_t min_values;
  std::size_t max_values;
  // The function that makes the test; when it is empty, `op` makes it.
  std::string_view function;
  // The operator of a key condition; kNotIndexable when a key condition may not have it.
  KeyOperator key_op;
  TypeMask types;  // the types that the values may have
  Operator op;
  // The condition is false where the test holds, and false where the attribute is missing.
  bool is_negated;
};

// Returns the row of a ComparisonOperator, or null.
const ComparisonRow* FindComparison(std::string_view name);

// The condition of one attribute. The row allows the number and the types of its values.
struct LegacyCondition {
  std::string_view attribute;  // a top-level attribute: a dot is part of the name
  const ComparisonRow* comparison = nullptr;
  std::span<const ValueView> values;
};

enum class ConditionalOperator { kAnd, kOr };

// Returns a condition that is true when all of `conditions` hold (kAnd) or when any holds (kOr);
// without conditions it is always true.
// Cost: linear; the values of an IN are sorted once, so that each item costs a binary search.
Condition LowerConditions(std::span<const LegacyCondition> conditions, ConditionalOperator joined,
                          Arena& arena);

// Returns the clauses of a key condition, in the order of `conditions`.
std::span<const KeyClause> LowerKeyConditions(std::span<const LegacyCondition> conditions,
                                              Arena& arena);

enum class AttributeAction { kPut, kAdd, kDelete };

// An update of one attribute `a`. Each action has the meaning of a clause of an UpdateExpression:
//
//   PUT v          SET a = v
//   ADD v          ADD a v, which also takes a list and appends it
//   DELETE         REMOVE a
//   DELETE v       DELETE a v
struct AttributeUpdate {
  std::string_view attribute;  // a top-level attribute: a dot is part of the name
  AttributeAction action = AttributeAction::kPut;
  std::optional<ValueView> value;  // only a DELETE may have none
};

// Returns the update, one action for each of `updates`.
// Cost: linear.
Update LowerAttributeUpdates(std::span<const AttributeUpdate> updates, Arena& arena);

}  // namespace hashrange
