// ControlCall is one call of the control API, as the function of the call sees it. ControlResult is
// what the function returns. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/arena.h"
#include "base/error.h"
#include "base/output_buffer.h"
#include "control/control_parts.h"
#include "control/control_request.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

struct ControlCall {
  ControlParts& parts;
  const ControlRequest& request;
  const JsonValue* body;  // an object; empty when the request had no body
  std::string_view name;  // the name in the place of the path's '*'; empty without a '*'
  Arena& arena;
  std::string& content_type;  // of the answer; JSON unless the call says otherwise
};

// The reason why a call failed, as a whole sentence for people.
struct ControlError {
  ControlError(int status, std::string text) : http_status(status), sentence(std::move(text)) {}
  // Converts the error of a check: 404 for ResourceNotFoundException, 409 for
  // ResourceInUseException, 500 for InternalServerError, 400 for any other.
  ControlError(Error error);  // NOLINT: implicit, for HR_ASSIGN and HR_RETURN_IF_ERROR

  int http_status = 400;
  std::string sentence;
};

// The function of a call writes the answer, or returns an error. With an error, the text that the
// function has written is dropped.
using ControlResult = std::optional<ControlError>;
using ControlFunction = ControlResult (*)(ControlCall& call, JsonWriter& answer);

// Returns the id of a rule, a hold or a request that a call names; nullopt for a text that is not a
// number of 64 bits in digits.
std::optional<std::uint64_t> ParseCallId(std::string_view text);

// Writes the whole answer {"<name>":<count>}.
ControlResult AnswerCount(std::string_view name, std::size_t count, JsonWriter& answer);

}  // namespace hashrange
