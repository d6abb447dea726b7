// What Hashrange says of a part of the API that it does not have. The texts are ours: the service
// knows no such errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "wire/binder.h"

namespace hashrange {

// "Hashrange does not implement CreateBackup."
inline std::string NotImplementedText(std::string_view what) {
  return std::string("Hashrange does not implement ").append(what).append(".");
}

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
