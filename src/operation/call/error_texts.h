// The texts of errors that many operations share. Pure functions; any thread.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "wire/binder.h"

namespace hashrange {

// Returns "a, b", as messages list names.
template <typename Names>
std::string Joined(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

// Returns the pieces, one after the other.
inline std::string Concatenated(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text.append(piece);
  return text;
}

// Returns ResourceNotFoundException "Requested resource not found: <detail>", without the colon
// when there is no detail.
inline Error ResourceNotFound(std::string_view detail = {}) {
  return Error{ErrorCode::kResourceNotFoundException,
               Concatenated({"Requested resource not found", detail.empty() ? "" : ": ", detail}),
               nullptr};
}

// Returns ValidationException "One or more parameter values were invalid: <text>". Most semantic
// errors of the service begin with these words.
inline Error InvalidParameters(std::string text) {
  return ValidationError("One or more parameter values were invalid: " + std::move(text));
}

// Returns "Hashrange does not implement <what>.", for the parts of the API that are missing. The
// service has no such error.
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
