// The JSON of a delay in control calls: a time that everything waits, such as "200ms", or
// {"min":"1s","max":"3s"} for random times. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "control/control_json.h"
#include "simulation/delayed_changes.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns the delay in the member `name` of the object; nullopt when the object has no such member.
// A missing "min" is 0. `place` names the object in sentences.
// Errors: ValidationException  the member has another form, or its "min" is more than its "max"
Result<std::optional<DelayRange>> ReadDelays(const ControlObject& object, std::string_view name,
                                             std::string_view place = "the body");

// Writes the member `name`, {"min","max"} in milliseconds.
void WriteDelays(std::string_view name, const DelayRange& delays, JsonWriter& answer);

}  // namespace hashrange
