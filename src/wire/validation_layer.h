// The service's two generations of request validation (reference 01, section 8), and the
// envelope of the current one on single-item writes.
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
inline Error Enveloped(ValidationLayer layer, Error error) {
  if (layer == ValidationLayer::kEnveloped && error.code == ErrorCode::kValidationException) {
    error.message.insert(0, "1 validation error detected: ");
  }
  return error;
}

}  // namespace hashrange
