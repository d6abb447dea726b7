// How a Query narrows its sort key: what a test of access patterns asserts on. Pure function; any
// thread.
#pragma once

#include <span>
#include <string_view>

#include "expression/expression.h"
#include "value/schema.h"

namespace hashrange {

// "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with", or "none" when the whole item collection is
// asked for: of the last of the clauses on `key`, that of the table or index they are about.
std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key);

}  // namespace hashrange
