// The capacity units that an answer of the DynamoDB API reports (ConsumedCapacity). Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "wire/json.h"

namespace hashrange {

// Returns whether requests of the operation may ask for what they consume.
bool ReportsUnits(std::string_view operation);

// Returns the input of the operation as JSON, with `"ReturnConsumedCapacity":"INDEXES"` where the
// operation has it and the input does not set it.
std::string InputWithUnits(std::string_view operation, const JsonValue& input);

// Returns `0.5 read units (shop: GSI1 0.5)` of an answer; empty where it reports none.
std::string UnitsSentence(std::string_view operation, const JsonValue& answer);

}  // namespace hashrange
