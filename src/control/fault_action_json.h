// The JSON of what a fault rule does. Pure function; any thread.
#pragma once

#include "base/result.h"
#include "simulation/fault_action.h"
#include "wire/json.h"

namespace hashrange {

// Reads one of
//
//   {"throttle":"TableWriteKeyRangeThroughputExceeded"}
//   {"throttle":{"reason":"…","exception"?:"ThrottlingException","message"?:"…"}}
//   {"error":{"type":"ResourceInUseException","message"?:"…","reasons"?:["None","…"]}}
//   {"status":500} {"status":503}  {"drop":"before"} {"drop":"after"}  {"unprocessed":3}
//   {"conflict":true}  {"in_progress":true}  {"collection_full":true}
//
// A member {"latency":"50ms"} or {"latency":{"min":"10ms","max":"90ms"}} may be added to any of
// these, and may also be the only member.
// Errors: ValidationException  for any other JSON, as a whole sentence
Result<FaultAction> ReadFaultAction(const JsonValue& json);

}  // namespace hashrange
