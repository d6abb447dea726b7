// Which members of a JSON object count. Used by json_parser.cc only.
#pragma once

#include <cstddef>
#include <span>

#include "base/arena.h"
#include "wire/json.h"

namespace hashrange {

// Moves the members that count to the front, in the order of the request, and returns how
// many they are: of repeated names the last, and no member that is JSON null then
// (docs/service/01-wire-protocol.md, section 2).
// Cost: O(n) for an object of up to 32 members with nothing to drop; else O(n log n).
std::size_t KeepMembersThatCount(std::span<JsonMember> members, bool keeps_nulls, Arena& arena);

}  // namespace hashrange
