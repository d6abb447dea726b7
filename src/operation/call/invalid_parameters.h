// InvalidParameters makes a ValidationException. Its message begins with the words that most
// semantic errors of the service have in common. Pure function; any thread.
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
