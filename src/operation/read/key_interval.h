// KeyInterval: the clauses of a key condition as one interval of an ordered map
// (docs/service/04-expressions.md, section 7, stage C). An index may have several HASH attributes
// and several RANGE attributes (docs/service/14-multi-attribute-keys.md, section 4). Pure
// functions; any thread.
#pragma once

#include <span>

#include "absl/functional/function_ref.h"
#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "value/key.h"

namespace hashrange {

// A check of one key attribute that the caller of CheckKeyClauses adds.
using KeyPartCheck = absl::FunctionRef<Status(const KeyPart&)>;

// Checks the clauses against the key, attribute by attribute. `before_part` is called for each key
// attribute before its clause is checked (docs/service/06-query-and-scan.md, section 3, rows 10 and
// 11).
// Errors: ValidationException  more clauses than key attributes; a HASH attribute without `=`; an
//         attribute that is no part of the key; a RANGE attribute without `=` before another one
//         with a clause; a value of another type, empty or too long; a legacy condition that is not
//         allowed on a key (KeyOperator::kNotIndexable)
//         any error of `before_part`
Status CheckKeyClauses(const KeySchema& key, std::span<const KeyClause> clauses,
                       KeyPartCheck before_part);

// The positions that the clauses of a key condition select.
struct KeyInterval {
  Interval interval;
  // The encoded HASH attributes. The bytes of every position in the interval begin with these.
  std::string_view hash_bytes;
  bool has_range_condition = false;  // has a clause on a RANGE attribute
};
// Returns the interval of clauses that CheckKeyClauses has accepted.
KeyInterval KeyIntervalOf(const KeySchema& key, std::span<const KeyClause> clauses, Arena& arena);

}  // namespace hashrange
