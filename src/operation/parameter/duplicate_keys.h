// Finds duplicates among the keys of a batch or a transaction.
#pragma once

#include <span>

#include "base/arena.h"
#include "engine/engine.h"
#include "value/attribute_value.h"

namespace hashrange {

// Returns whether two keys have the same attributes and values (numbers by value). No table needs
// to be known.
// Cost: O(n log n).
bool HasDuplicateKeys(std::span<const std::span<const Attribute>> keys, Arena& arena);

// Returns whether two addresses are those of the same item.
// Cost: O(n log n).
bool HasDuplicateAddresses(std::span<const ItemAddress> addresses, Arena& arena);

}  // namespace hashrange
