// From the clauses of a key condition to one interval of an ordered map
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

// The clauses against the key they are for, part by part; `before_part` has its say on each
// part first (docs/service/06-query-and-scan.md, section 3, rows 10 and 11).
// Errors: ValidationException  a HASH attribute without `=`, an attribute that is no part
//         of the key, a gap, a value of another type, empty or too long; a legacy condition
//         that no key takes; what before_part answers
Status CheckKeyClauses(const KeySchema& key, std::span<const KeyClause> clauses,
                       KeyPartCheck before_part);

// What the (checked) clauses select.
struct KeyInterval {
  Interval interval;
  std::string_view hash_bytes;  // the encoded HASH parts, with which every position begins
  bool has_range_condition = false;
};
KeyInterval KeyIntervalOf(const KeySchema& key, std::span<const KeyClause> clauses, Arena& arena);

}  // namespace hashrange
