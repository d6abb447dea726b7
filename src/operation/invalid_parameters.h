// InvalidParameters makes an error whose message opens as most of the service's semantic errors do.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"

namespace hashrange {

// Returns ValidationException "One or more parameter values were invalid: <text>".
inline Error InvalidParameters(std::string text) {
  return ValidationError("One or more parameter values were invalid: " + std::move(text));
}

}  // namespace hashrange
