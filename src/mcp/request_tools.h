// Calls of the DynamoDB API, and what an answer says in short: its capacity units
// (ConsumedCapacity), or its error. The tools that make any call are beside them, in
// request_tools.cc. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "mcp/agent_target.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {

// Returns the input of the operation as JSON, with `"ReturnConsumedCapacity":"INDEXES"` where the
// operation has it and the input does not set it.
std::string InputWithUnits(std::string_view operation, const JsonValue& input);

// Returns `0.5 read units (shop: GSI1 0.5)` of an answer; empty where it reports none.
std::string UnitsSentence(std::string_view operation, const JsonValue& answer);

// Returns `ValidationException: One or more …` of the body of an error, with the reasons of a
// cancelled transaction and the item of a condition that did not hold.
std::string ErrorBodyText(const JsonValue& body);

// Returns the answer, an object.
// Errors: ValidationException  the call failed; with its type and its message
Result<OwnedJson> CallTarget(AgentTarget& target, std::string_view operation,
                             const std::string& input);

}  // namespace hashrange
