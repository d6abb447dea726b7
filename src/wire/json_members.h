// Drops the members of a JSON object that do not count. Used by json_parser.cc only.
// A pure function.
#pragma once

#include <cstddef>
#include <span>

#include "base/arena.h"
#include "wire/json.h"

namespace hashrange {

// Moves the members that count to the front, in the order of the request, and returns their
// number. Of a repeated name the last member counts, unless it is JSON null and `keeps_nulls`
// is false (docs/service/01-wire-protocol.md, section 2).
// Cost: O(n) for an object of up to 32 members with nothing to drop; O(n log n) for other objects.
std::size_t KeepMembersThatCount(std::span<JsonMember> members, bool keeps_nulls, Arena& arena);

}  // namespace hashrange
