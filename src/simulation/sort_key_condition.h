// How a Query narrows its sort key: what a test of access patterns asserts on. Pure function; any
// thread.
#pragma once

#include <span>
#include <string_view>

#include "expression/expression.h"
#include "value/schema.h"

namespace hashrange {

// "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with", or "none" when the whole item collection is
// asked for. `key` is that of the table or index which the clauses are about; of several clauses on
// its sort key it is the one that is no equality, of two of those "BETWEEN".
std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key);

}  // namespace hashrange
