// Item lines: functions that turn a line of JSON, or an object over several lines, into an item as
// in a PutItem request. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "control/files/data_format.h"
#include "value/schema.h"
#include "wire/json.h"

namespace hashrange {

// Returns the item as {"PK":{"S":…},…}. The line is overwritten, and the byte behind it is changed
// during the call.
// Errors: ValidationException  the line is no JSON, or no object
Result<JsonValue> ReadItemLine(std::span<char> line, DataFormat format, Arena& arena);

// Returns the format of a file with this line: kDynamoDb or kJson. A line that is no JSON object
// gives kDynamoDb.
DataFormat FormatOfLine(std::string_view line, const KeySchema& key);

}  // namespace hashrange
