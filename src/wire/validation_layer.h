// The service's two generations of request validation (docs/service/01-wire-protocol.md,
// section 8), and the envelope of the current one on single-item writes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"

namespace hashrange {

enum class ValidationLayer : std::uint8_t {
  kEnveloped,  // current: PutItem, UpdateItem, DeleteItem
  kBare,       // current: GetItem, BatchGetItem, Query
  kOlder,      // Scan, BatchWriteItem, transactions, and what has no item values
};

// "1 validation error detected: " before the message of a ValidationException, on the
// enveloped layer only.
Error Enveloped(ValidationLayer layer, Error error);

}  // namespace hashrange
