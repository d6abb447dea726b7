// Union and difference of two sets of one type. Both are sorted, and so is the result.
#pragma once

#include <optional>

#include "base/arena.h"
#include "value/attribute_value.h"

namespace hashrange {

// The members of either. Cost: linear.
ValueView SetUnion(ValueView a, ValueView b, Arena& arena);

// The members of `from` that are not in `taken`; none when nothing is left. Cost: linear.
std::optional<ValueView> SetDifference(ValueView from, ValueView taken, Arena& arena);

}  // namespace hashrange
