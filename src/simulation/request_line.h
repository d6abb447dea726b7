// Request line: a call as one line of the log.
//
//   Query app/GSI1 000000000000/us-east-1 200 0.5 units 0.041 ms
//   PutItem app 000000000000/us-east-1 400 1 units 0.038 ms ConditionalCheckFailedException: The …
#pragma once

#include <string>

#include "simulation/request_list.h"

namespace hashrange {

struct JsonValue;  // wire/json.h

// `request`: the body of the call, which says its table where no access does. Null: the call did
// not come as far as its operation, and neither units nor time are known.
std::string RequestLine(const RequestRecord& record, const JsonValue* request);

}  // namespace hashrange
