#include "mcp/database_target.h"

#include <utility>

#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr int kOk = 200;
constexpr int kFirstServerError = 500;

// Returns the sentence of {"error":"…"}; else the body.
std::string SentenceIn(const std::string& body) {
  const auto json = OwnedJson::Parse(body, JsonDialect::kDocument);
  std::string sentence(json.ok() ? TextMember(json->value(), "error") : "");
  return sentence.empty() ? body : sentence;
}

}  // namespace

Result<std::string> ControlBody(int status, std::string body) {
  if (status == kOk) return body;
  std::string sentence = SentenceIn(body);
  if (status < kFirstServerError) return ValidationError(std::move(sentence));
  return Error{ErrorCode::kInternalServerError, std::move(sentence), nullptr};
}

DatabaseTarget::DatabaseTarget(Database& database, std::string account, std::string region,
                               std::string served_at)
    : database_(database),
      account_(std::move(account)),
      region_(std::move(region)),
      served_at_(std::move(served_at)) {}

std::string DatabaseTarget::Description() const {
  if (served_at_.empty()) return "a Hashrange database in this process, which no program shares";
  return "a Hashrange database in this process, which programs reach at " + served_at_;
}

Answer DatabaseTarget::Call(std::string_view operation, std::string_view json) {
  Answer answer = database_.Call(operation, json, {account_, region_});
  if (answer.status == 0) answer.body = "the call was dropped by a fault";
  return answer;
}

Result<std::string> DatabaseTarget::Control(std::string_view method, std::string_view path,
                                            std::string_view json) {
  Answer answer = database_.Control(method, path, json);
  return ControlBody(answer.status, std::move(answer.body));
}

}  // namespace hashrange
