// What a fault rule does, as JSON. Pure function; any thread.
#pragma once

#include "base/result.h"
#include "simulation/fault_action.h"
#include "wire/json.h"

namespace hashrange {

// One of
//
//   {"throttle":"TableWriteKeyRangeThroughputExceeded"}
//   {"throttle":{"reason":"…","exception"?:"ThrottlingException","message"?:"…"}}
//   {"error":{"type":"ResourceInUseException","message"?:"…","reasons"?:["None","…"]}}
//   {"status":500} {"status":503}  {"drop":"before"} {"drop":"after"}  {"unprocessed":3}
//   {"conflict":true}  {"in_progress":true}  {"collection_full":true}
//
// and beside it or alone {"latency":"50ms"} or {"latency":{"min":"10ms","max":"90ms"}}.
// Errors: ValidationException  in a sentence: anything else
Result<FaultAction> ReadFaultAction(const JsonValue& json);

}  // namespace hashrange
