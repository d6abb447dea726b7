// Turns the branches of a SELECT's WHERE into the intervals of the ordered map that the SELECT
// reads (docs/service/11-partiql.md, section 4). Pure functions; any thread.
#pragma once

#include <span>

#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/partiql/key_plan.h"
#include "value/key.h"

namespace hashrange {

// The order that ORDER BY asks for: of the partitions (`hash_descending`), and of the items of each
// partition (`forward`).
struct ReadOrder {
  bool hash_descending = false;
  bool forward = true;
};

// Returns the order of a SELECT.
// Errors: ValidationException  ORDER BY is used without WHERE, or names an attribute that is not of
//         the key; WHERE does not fix the HASH attribute, or fixes it to several values and ORDER
//         BY does not name it
Result<ReadOrder> ReadOrderOf(const partiql::Statement& statement, const partiql::ReadPlan& plan,
                              const KeySchema& key);
// Makes the checks of ReadOrderOf, for a SELECT of one item, which needs no order.
Status CheckOrder(const partiql::Statement& statement, const partiql::ReadPlan& plan,
                  const KeySchema& key);

// One read: the interval of the map, and the conditions on the key that it comes from.
struct KeyRange {
  Interval interval;
  std::span<const KeyClause> clauses = {};
};

// Returns the position of the one item whose whole key the plan's first branch gives.
// Errors: ValidationException  an empty or too long key value
Result<Position> PlannedPosition(const partiql::ReadPlan& plan, const KeySchema& key, Arena& arena);

// Returns the ranges of a keyed plan in the order in which they are read. No two ranges overlap. A
// branch that no key can match has no range. The branches of one partition have one range together
// when one of them negates a condition on the sort key.
// Errors: ValidationException  an empty or too long key value; branches that overlap
Result<std::span<const KeyRange>> KeyRangesOf(const partiql::ReadPlan& plan, const KeySchema& key,
                                              const ReadOrder& order, Arena& arena);

}  // namespace hashrange
