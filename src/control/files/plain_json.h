// Functions that convert plain JSON to attribute values and back, as document clients do: a text is
// an S, a number an N, true and false are BOOL, null is NULL, an array is an L, an object an M.
// Plain JSON has no sets and no binary. Pure functions; any thread.
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "value/item.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// {"name":"Ann","age":7} → {"name":{"S":"Ann"},"age":{"N":"7"}}. `object` was parsed as a document
// (JsonDialect::kDocument).
JsonValue ToAttributeValues(const JsonValue& object, Arena& arena);
// 7 → {"N":"7"}
JsonValue ToAttributeValue(const JsonValue& value, Arena& arena);

// Writes the item as a plain JSON object.
// Errors: ValidationException  the item contains a set or binary
Status WritePlainItem(ItemView item, JsonWriter& writer);

}  // namespace hashrange
