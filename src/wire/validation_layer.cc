#include "wire/validation_layer.h"

namespace hashrange {

Error Enveloped(ValidationLayer layer, Error error) {
  if (layer == ValidationLayer::kEnveloped && error.code == ErrorCode::kValidationException) {
    error.message.insert(0, "1 validation error detected: ");
  }
  return error;
}

}  // namespace hashrange
