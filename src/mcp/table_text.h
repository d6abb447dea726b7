// What DescribeTable answers, as lines for an agent. Pure functions; any thread.
#pragma once

#include <string>

#include "wire/json.h"

namespace hashrange {

// Returns the definition and the counts of a table, with a line for each index. `answer` was read
// as a document and may be any JSON.
std::string TableDefinitionText(const JsonValue& answer);

}  // namespace hashrange
