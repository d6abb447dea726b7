// How a constraint message prints a value (docs/service/01-wire-protocol.md, section 7): scalars as
// sent, collections Java-style, [KeySchemaElement(attributeName=pk, keyType=HASH)], or as
// compact JSON. Used by the binder only.
//
// A collection's echo is cut after kMaxEchoBytes: what it holds differs by Region, so no
// client reads it, and a hostile request must not be answered with its own size.
#pragma once

#include <cstddef>
#include <string>

#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

inline constexpr std::size_t kMaxEchoBytes = 1 << 20;

std::string EchoOf(const Shape& shape, const JsonValue& value);
std::string JsonEchoOf(const JsonValue& value);

}  // namespace hashrange
