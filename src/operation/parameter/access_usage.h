// The usage with which an access leaves the gate (operation/call/access.h). An operation asks for
// it only where a gate is active. Pure functions; the request's arena owns what a Usage points to.
#pragma once

#include <cstddef>

#include "base/arena.h"
#include "operation/call/access.h"
#include "operation/parameter/consumed_capacity.h"

namespace hashrange {

// Returns the usage of a read of one key. `stored` is the item with that key, which may not exist;
// `bytes_returned` is the size of what is answered of it.
Usage UsageOfRead(double units, ItemView stored, std::size_t bytes_returned);

// Returns the usage of a committed write; `meter` has counted this write only.
Usage UsageOfWrite(const CapacityMeter& meter, ItemView before, ItemView after, Arena& arena);
// Returns the usage of a condition check whose condition holds; `meter` has counted this check
// only.
Usage UsageOfConditionCheck(const CapacityMeter& meter, ItemView stored);

// Returns the usage of a write that the commit refused, with units for `charged_bytes`. `failure`
// is the commit's error for this write; null: the commit refused another action of the transaction.
Usage UsageOfRefusal(std::size_t charged_bytes, double factor, ItemView stored,
                     const Error* failure);

}  // namespace hashrange
