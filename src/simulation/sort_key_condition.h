// How a Query narrows its sort key, told from the request alone: what a test of access patterns
// asserts on. Pure function; any thread.
#pragma once

#include <string_view>

#include "value/schema.h"
#include "wire/json.h"

namespace hashrange {

// "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with", or "none" when the whole item collection is
// asked for. `query` is a bound Query by KeyConditionExpression or KeyConditions, `key` that of
// the table or index it reads. Empty for any other request: a statement's condition is its own
// text.
std::string_view SortKeyConditionOf(const JsonValue& query, const KeySchema& key);

}  // namespace hashrange
