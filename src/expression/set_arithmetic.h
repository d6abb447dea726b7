// Union and difference of two sets of one type. The sets are sorted, and so is the result, which
// is stored in the arena. Pure functions.
#pragma once

#include <optional>

#include "base/arena.h"
#include "value/attribute_value.h"

namespace hashrange {

// Returns the set of the members of `a` and of `b`. Cost: linear.
ValueView SetUnion(ValueView a, ValueView b, Arena& arena);

// Returns the members of `from` that are not in `taken`; none when no member is left.
// Cost: linear.
std::optional<ValueView> SetDifference(ValueView from, ValueView taken, Arena& arena);

}  // namespace hashrange
