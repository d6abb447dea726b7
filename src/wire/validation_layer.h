// The layers of the service's request validation (docs/service/01-wire-protocol.md, section 8). The
// older layer and the current layer have different messages. The current layer puts the messages of
// single-item writes into an envelope, a prefix that counts the errors. Pure functions.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace hashrange {

enum class ValidationLayer : std::uint8_t {
  kEnveloped,  // current: PutItem, UpdateItem, DeleteItem
  kBare,       // current: GetItem, BatchGetItem, Query, SearchVectors
  kOlder,      // Scan, BatchWriteItem, transactions, statements, operations without item values
};

// Returns the error. On kEnveloped, the message of a ValidationException gets the prefix
// "1 validation error detected: ".
inline Error Enveloped(ValidationLayer layer, Error error) {
  if (layer == ValidationLayer::kEnveloped && error.code == ErrorCode::kValidationException) {
    error.message.insert(0, "1 validation error detected: ");
  }
  return error;
}

}  // namespace hashrange
