// KeyInterval: the clauses of a key condition as one interval of an ordered map
// (docs/service/04-expressions.md, section 7, stage C; docs/service/14-multi-attribute-keys.md,
// section 4 for several attributes a part).
#pragma once

#include <span>

#include "absl/functional/function_ref.h"
#include "base/arena.h"
#include "base/result.h"
#include "expression/expression.h"
#include "value/key.h"

namespace hashrange {

using KeyPartCheck = absl::FunctionRef<Status(const KeyPart&)>;

// Checks the clauses against the key, part by part; `before_part` is called for each part before
// its clause is checked (docs/service/06-query-and-scan.md, section 3, rows 10 and 11).
// Errors: ValidationException  a HASH attribute without `=`, an attribute that is no part
//         of the key, a gap, a value of another type, empty or too long; a legacy condition
//         that no key takes; the error of `before_part`
Status CheckKeyClauses(const KeySchema& key, std::span<const KeyClause> clauses,
                       KeyPartCheck before_part);

// The keys that the (checked) clauses select.
struct KeyInterval {
  Interval interval;
  std::string_view hash_bytes;  // the encoded HASH parts, with which every position begins
  bool has_range_condition = false;
};
KeyInterval KeyIntervalOf(const KeySchema& key, std::span<const KeyClause> clauses, Arena& arena);

}  // namespace hashrange
