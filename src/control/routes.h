// The calls of the control API: what a call is to its function, and the table of all calls, whose
// rows are in routes.def. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/memory/arena.h"
#include "base/memory/output_buffer.h"
#include "control/control.h"
#include "control/control_request.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// One call, as the function of the call sees it. One thread at a time.
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
// Writes the member `name`, a list with what `write` writes for each element of `list`.
template <typename List, typename Write>
void WriteList(std::string_view name, const List& list, JsonWriter& answer, Write write) {
  answer.BeginArray(name);
  for (const auto& each : list) write(each);
  answer.EndArray();
}
// Writes the whole answer {"<name>":[…]}, as WriteList does.
template <typename List, typename Write>
ControlResult AnswerList(std::string_view name, const List& list, JsonWriter& answer, Write write) {
  answer.BeginObject();
  WriteList(name, list, answer, write);
  answer.EndObject();
  return {};
}

// The input that a call reads apart from its path. Other input is refused.
enum class CallInput { kNothing, kBody, kQuery };

// Who may make a call when the server has no token.
enum class Callers {
  kOwnUser,  // programs of the server's own user and of root
  kAnyUser,  // programs of all users of this machine
};

struct Route {
  ControlFunction function;
  std::string_view method;
  std::string_view path;  // one '*' stands for a name: "snapshots/*/restore"
  Callers callers;
  CallInput input = CallInput::kNothing;
  bool takes_long = false;  // only other long calls have to wait for this call
  // Whether the call may change what a data directory keeps: it is refused while nothing can be
  // written, and its answer waits until the change is kept.
  bool changes_kept = false;
  // How the body is read. kStrict: if part of a body were ignored, a reset might drop more tables
  // than its body says.
  JsonDialect dialect = JsonDialect::kStrict;
  // The types of the query, the body and the answer in TypeScript, where routes.def has their
  // members; empty: it does not have them.
  std::string_view query = {};
  std::string_view body = {};
  std::string_view answer = {};
};

// Returns the rows of routes.def.
std::span<const Route> Routes();

// Declares the function of each call.
#define HR_CONTROL_CALL(function, ...) \
  ControlResult function(ControlCall& call, JsonWriter& answer);
#include "control/routes.def"

}  // namespace hashrange
