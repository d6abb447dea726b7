// The keys of items in control calls, in DynamoDB JSON: {"PK":{"S":"USER#1"},"SK":{"N":"7"}}. Pure
// functions; any thread.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table_version.h"
#include "value/attribute_value.h"
#include "wire/json.h"

namespace hashrange {

// Returns the attributes of `json`, ascending by name, each an S, N or B.
// Errors: ValidationException  any other JSON, in a sentence that begins with "key"
Result<std::span<const Attribute>> ReadKeyJson(const JsonValue& json, Arena& arena);

// Errors: ValidationException  `key` is not the whole key of an item of the table, as a sentence
Status CheckWholeKey(const TableVersion& table, std::span<const Attribute> key);

}  // namespace hashrange
