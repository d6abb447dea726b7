// Item lines: a line of JSON, or an object over several lines, → an item as a PutItem request would
// hold it. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "transfer/data_format.h"
#include "value/schema.h"
#include "wire/json.h"

namespace hashrange {

// {"PK":{"S":…},…}, whatever form the line has, which is overwritten, as the byte behind it is
// for a while.
// Errors: ValidationException  no JSON, or no object
Result<JsonValue> ReadItemLine(std::span<char> line, DataFormat format, Arena& arena);

// kDynamoDb or kJson: the format of a file with this line.
DataFormat FormatOfLine(std::string_view line, const KeySchema& key);

}  // namespace hashrange
