// From the branches of a SELECT's WHERE to the intervals of the map it reads
// (docs/service/11-partiql.md, section 4).
#pragma once

#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "partiql/key_plan.h"
#include "value/key.h"

namespace hashrange {

// Which way the intervals are read, as ORDER BY says; each in turn, and within itself.
struct ReadOrder {
  bool hash_descending = false;
  bool forward = true;
};

// Errors: ValidationException  ORDER BY without the HASH attribute fixed, or by what is no key
Result<ReadOrder> ReadOrderOf(const partiql::Statement& statement, const partiql::ReadPlan& plan,
                              const KeySchema& key);
// The same where the order does not matter: of one item.
Status CheckOrder(const partiql::Statement& statement, const partiql::ReadPlan& plan,
                  const KeySchema& key);

// One read: what of the map, and what was asked of the key.
struct KeyRange {
  Interval interval;
  std::span<const KeyClause> clauses = {};
};

// The ranges of a keyed plan, in the order in which they are read; no two overlap, and a
// branch that asks for two partitions has none.
// Errors: ValidationException  an empty or too long key value; branches that overlap
Result<std::span<const KeyRange>> KeyRangesOf(const partiql::ReadPlan& plan, const KeySchema& key,
                                              const ReadOrder& order, Arena& arena);

}  // namespace hashrange
