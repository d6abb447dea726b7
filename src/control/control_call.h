// ControlCall: one call of the control API as its function sees it, and what it answers.
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
  const JsonValue* body;  // an object; an empty one when none was sent
  std::string_view name;  // what stands in the place of the path's '*'; empty when there is none
  Arena& arena;
  std::string& content_type;  // of the answer; JSON unless the call says otherwise
};

// Why a call failed: a sentence with its full stop, for people.
struct ControlError {
  ControlError(int status, std::string text) : http_status(status), sentence(std::move(text)) {}
  // Of a check that gives a Result: 404 for ResourceNotFoundException, 409 for
  // ResourceInUseException, 400 for any other.
  ControlError(Error error);  // NOLINT: implicit, for HR_ASSIGN and HR_RETURN_IF_ERROR

  int http_status = 400;  // 400, 404 or 409
  std::string sentence;
};

// A call's function writes its answer, or says why not; then what it has written is thrown away.
using ControlResult = std::optional<ControlError>;
using ControlFunction = ControlResult (*)(ControlCall& call, JsonWriter& answer);

// The number of a rule, a hold or a request; none for anything but digits.
std::optional<std::uint64_t> ParseCallId(std::string_view text);

// {"<name>":<count>}, the whole answer.
ControlResult AnswerCount(std::string_view name, std::size_t count, JsonWriter& answer);

}  // namespace hashrange
