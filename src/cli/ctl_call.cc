#include "cli/ctl_call.h"

#include <string>
#include <utility>

#include "base/arena.h"
#include "wire/json.h"

namespace hashrange {
namespace {

Error CallError(std::string why) {
  return Error{ErrorCode::kInternalServerError, std::move(why), nullptr};
}

// Returns the server's reason for refusing a call.
std::string ErrorSentence(const HttpReply& reply) {
  Arena arena(4 << 10);
  std::string body = reply.body;
  const std::size_t size = body.size();
  body.push_back('\0');
  const auto json = ParseJson({body.data(), size}, arena);
  if (json.ok() && (*json)->type == JsonValue::Type::kObject) {
    const JsonValue* const error = (*json)->Find("error");
    if (error && error->type == JsonValue::Type::kString) return std::string(error->string());
  }
  return "the server answers " + std::to_string(reply.status) + " " + reply.body;
}

}  // namespace

Result<HttpReply> SendCtlCall(const HttpCall& call) {
  std::string reason;
  HttpReply reply = SendHttpCall(call, &reason);
  if (reply.status == 0) {
    return CallError("no server at " + call.host + " port " + std::to_string(call.port) + ": " +
                     reason);
  }
  if (!reply.ok()) return CallError(ErrorSentence(reply));
  return reply;
}

}  // namespace hashrange
