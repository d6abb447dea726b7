// A request line describes a call in one line of the log. Pure function; any thread.
//
//   Query app/GSI1 000000000000/us-east-1 200 0.5 units 0.041 ms
//   PutItem app 000000000000/us-east-1 400 1 units 0.038 ms ConditionalCheckFailedException: The …
#pragma once

#include <string>

#include "simulation/request_list.h"

namespace hashrange {

struct JsonValue;  // wire/json.h

// Returns the line, without a line end. `request` is the body of the call, which names the table
// when there was no access. Null: the call did not reach its operation, and neither its units nor
// its duration are known.
std::string RequestLine(const RequestRecord& record, const JsonValue* request);

}  // namespace hashrange
