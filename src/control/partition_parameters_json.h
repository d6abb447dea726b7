// The JSON of the parameters of a PartitionRule in control calls, as docs/control-api.md describes
// them. Pure functions; any thread.
#pragma once

#include "base/result.h"
#include "simulation/partition_rules.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// Sets the parameters of the rule, and its error for key ranges, that the object gives.
// Errors: ValidationException  `json` is no object; a member is unknown, has another type, or is
//         not in its range
Status ReadPartitionParameters(const JsonValue& json, PartitionRule* rule);

// Writes an object of the parameters that are not as they are by default. Times are milliseconds.
void WritePartitionParameters(const PartitionRule& rule, JsonWriter& answer);

}  // namespace hashrange
