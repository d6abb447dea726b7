#include "cli/ctl_call.h"

#include <string>
#include <utility>

#include "wire/owned_json.h"

namespace hashrange {
namespace {

Error CallError(std::string why) {
  return Error{ErrorCode::kInternalServerError, std::move(why), nullptr};
}

// Returns the server's reason for refusing a call.
std::string ErrorSentence(const HttpReply& reply) {
  const auto json = OwnedJson::Parse(reply.body, JsonDialect::kRequest);
  const std::string sentence(json.ok() ? TextMember(json.value().value(), "error") : "");
  if (!sentence.empty()) return sentence;
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
