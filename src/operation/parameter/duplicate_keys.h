// Finds duplicates among the keys of a batch or a transaction. `arena` is for temporary data. Pure
// functions; any thread.
#pragma once

#include <span>

#include "base/arena.h"
#include "engine/engine.h"
#include "value/attribute_value.h"

namespace hashrange {

// Returns whether two of the keys have the same attributes with the same values; numbers are
// compared by value. The keys are of one table, whose schema is not needed.
// Cost: O(n log n).
bool HasDuplicateKeys(std::span<const std::span<const Attribute>> keys, Arena& arena);

// Returns whether two of the addresses are of the same item.
// Cost: O(n log n).
bool HasDuplicateAddresses(std::span<const ItemAddress> addresses, Arena& arena);

}  // namespace hashrange
