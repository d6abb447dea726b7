// Error: what went wrong, in the words of the answer. Errors are returned as values, from the
// function that finds them up to dispatch; Hashrange's own code throws no exceptions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

enum class ErrorCode : std::uint8_t {
#define HR_ERROR(name, status, type_namespace, member) k##name,
#include "base/errors.def"
};

// A row of errors.def.
struct ErrorInfo {
  std::string_view name;            // "ValidationException"
  int http_status;                  // 400, 500 or 503
  std::string_view type_namespace;  // "com.amazon.coral.validate"
  std::string_view message_member;  // "message", "Message" or "" (errors.def)
};
const ErrorInfo& ErrorInfoOf(ErrorCode code);
// Returns the code of that name ("ResourceNotFoundException"), or none. Cost: O(rows).
std::optional<ErrorCode> FindErrorCode(std::string_view name);

// The base of what an error carries beside its message, such as an item or cancellation reasons.
// The layer that writes the error body knows the derived types.
struct ErrorDetails {
  virtual ~ErrorDetails() = default;
};

struct Error {
  ErrorCode code = ErrorCode::kInternalServerError;
  std::string message;  // empty: the body has no member for a text
  std::shared_ptr<const ErrorDetails> details;
};

// Returns a ValidationException, the most frequent error.
inline Error ValidationError(std::string message) {
  return Error{ErrorCode::kValidationException, std::move(message), nullptr};
}

// Returns an InternalServerError: a failure of the server, or of what the server works with.
inline Error InternalError(std::string message) {
  return Error{ErrorCode::kInternalServerError, std::move(message), nullptr};
}

}  // namespace hashrange
