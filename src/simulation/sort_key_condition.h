// The sort key condition says how a Query narrows its sort key, so that a test of access patterns
// can assert on it. Pure function; any thread.
#pragma once

#include <span>
#include <string_view>

#include "expression/expression.h"
#include "value/schema.h"

namespace hashrange {

// Returns "=", "<", "<=", ">", ">=", "BETWEEN" or "begins_with", or "none" when the whole item
// collection is queried. `key` is the key of the table or index that is queried. Of several clauses
// on the sort key, the clause that is no equality decides; two such clauses are a "BETWEEN".
std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key);

}  // namespace hashrange
