// How a constraint message prints a value (docs/service/01-wire-protocol.md, section 7): scalars as
// sent, collections as Java prints them, [KeySchemaElement(attributeName=pk, keyType=HASH)], or as
// compact JSON. Used by the binder only. Pure functions.
//
// The echo of a collection is cut after kMaxEchoBytes: its content differs by Region, so that no
// client can rely on it, and the answer to a hostile request must not be as large as the
// request.
#pragma once

#include <cstddef>
#include <string>

#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

inline constexpr std::size_t kMaxEchoBytes = 1 << 20;

// Each returns the text of a value. EchoOf prints a scalar as sent and a collection as Java prints
// it; JsonEchoOf prints any value as compact JSON.
std::string EchoOf(const Shape& shape, const JsonValue& value);
std::string JsonEchoOf(const JsonValue& value);

}  // namespace hashrange
