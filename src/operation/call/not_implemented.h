// Errors for the parts of the API that Hashrange does not implement. The texts are Hashrange's: the
// service has no such errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "wire/binder.h"

namespace hashrange {

// Returns "Hashrange does not implement <what>."
inline std::string NotImplementedText(std::string_view what) {
  return std::string("Hashrange does not implement ").append(what).append(".");
}

// Checks that the request of `operation` ("CreateTable") has none of `members`, which Hashrange
// does not implement.
// Errors: ValidationException  the request has one of `members`
inline Status CheckImplemented(const RequestObject& request,
                               std::span<const std::string_view> members,
                               std::string_view operation) {
  for (const std::string_view member : members) {
    if (!request.Has(member)) continue;
    return ValidationError(
        NotImplementedText(std::string(member).append(" of ").append(operation)));
  }
  return {};
}

}  // namespace hashrange
