// Duplicates among the keys of a batch or a transaction.
#pragma once

#include <span>

#include "base/arena.h"
#include "engine/engine.h"
#include "value/attribute_value.h"

namespace hashrange {

// Whether two keys have the same attributes and values (numbers by value), before any
// table is known. Cost: O(n log n).
bool HasDuplicateKeys(std::span<const std::span<const Attribute>> keys, Arena& arena);

// Whether two addresses are the same item.
bool HasDuplicateAddresses(std::span<const ItemAddress> addresses, Arena& arena);

}  // namespace hashrange
