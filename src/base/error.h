// Error: what went wrong, as the answer will say it. Errors are values from where
// they arise to dispatch; nothing in Hashrange throws.
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
  std::string_view message_member;  // "message" or "Message"
};
const ErrorInfo& InfoOf(ErrorCode code);
// The code of that name ("ResourceNotFoundException"), or none. Cost: O(rows).
std::optional<ErrorCode> FindErrorCode(std::string_view name);

// What an error carries beside its message: an item, cancellation reasons. The
// layer that writes the body knows the derived types.
struct ErrorDetails {
  virtual ~ErrorDetails() = default;
};

struct Error {
  ErrorCode code = ErrorCode::kInternalServerError;
  std::string message;  // empty: the body has no text member
  std::shared_ptr<const ErrorDetails> details;
};

// The most frequent one.
inline Error ValidationError(std::string message) {
  return Error{ErrorCode::kValidationException, std::move(message), nullptr};
}

}  // namespace hashrange
