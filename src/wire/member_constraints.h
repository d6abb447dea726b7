// The second pass of the binder: bounds, patterns, enums and required members. All errors are
// reported in one message (docs/service/01-wire-protocol.md, sections 7 to 10). Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

// Returns the problem of the value itself, its parts not considered. A null pointer and JSON null
// are kAbsent.
Problem ProblemOf(const Shape& shape, const JsonValue* value);

// Returns "2 validation errors detected: …; …"; none when no member breaks a constraint. slots[i]
// is the value of input.members[i], null when it is absent. `is_older`: the older layer writes the
// texts, whatever the operation's layer is. `longest_name_bytes`: the size of the longest name in
// maps of attribute values. Only when it is greater than the limit, the inside of attribute values
// is checked.
std::optional<std::string> BrokenConstraints(const Shape& input,
                                             std::span<const JsonValue* const> slots, bool is_older,
                                             std::size_t longest_name_bytes);

// The printed text of a collection is cut after this size: its content differs by Region, so that
// no client can rely on it, and the answer to a hostile request must not be as large as the
// request.
inline constexpr std::size_t kMaxEchoBytes = 1 << 20;

}  // namespace hashrange
