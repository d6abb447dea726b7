#include "mcp/agent_target.h"

#include <atomic>
#include <chrono>
#include <utility>

#include "base/text/host_name.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/http_call.h"
#include "remote/client/service_client.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr int kOk = 200;
constexpr int kFirstServerError = 500;
constexpr std::string_view kControlRoot = "/_hashrange/";
constexpr std::string_view kAccountOfOthers = "000000000000";
// A measurement of large tables takes long.
constexpr std::chrono::seconds kControlTimeout{60};
// An agent waits for each answer, so a call ends sooner than a call of other clients.
constexpr std::chrono::seconds kAnswerTimeout{20};
constexpr int kMostAttempts = 2;
constexpr std::size_t kMostControlBytes = 64 << 20;

// Returns the sentence of {"error":"…"}; else the body.
std::string SentenceIn(const std::string& body) {
  const auto json = OwnedJson::Parse(body, JsonDialect::kDocument);
  std::string sentence(json.ok() ? TextMember(json->value(), "error") : "");
  return sentence.empty() ? body : sentence;
}

// Returns the body of an answer of the control API.
// Errors: as AgentTarget::Control has them, with the answer's sentence
Result<std::string> ControlBody(int status, std::string body) {
  if (status == kOk) return body;
  std::string sentence = SentenceIn(body);
  if (status < kFirstServerError) return ValidationError(std::move(sentence));
  return InternalError(std::move(sentence));
}

// Returns the account that Hashrange gives a key.
std::string AccountOfKey(const std::string& key) {
  const bool has_digits = key.find_first_not_of("0123456789") == std::string::npos;
  return has_digits && key.size() == kAccountOfOthers.size() ? key : std::string(kAccountOfOthers);
}

// Returns whether the body is an object that has a member of that name.
bool HasMember(std::string body, std::string_view name) {
  const auto json = OwnedJson::Parse(std::move(body), JsonDialect::kDocument);
  return json.ok() && json->value().Find(name);
}

class EndpointTarget : public AgentTarget {
 public:
  static Result<std::unique_ptr<AgentTarget>> Open(const AgentEndpointOptions& options);

  std::string Description() const override;
  std::string Account() const override { return account_; }
  std::string Region() const override { return region_; }
  Answer Call(std::string_view operation, std::string_view json) override;
  Result<std::string> Control(std::string_view method, std::string_view path,
                              std::string_view json) override;

 private:
  EndpointTarget() = default;
  // Errors: InternalServerError  the endpoint is not Hashrange, or cannot be reached
  Status CheckIsHashrange();
  Error NotHashrange() const;
  // Returns the answer to a call of the control API.
  // Errors: InternalServerError  the endpoint does not answer: `complaint` and why
  Result<HttpReply> Send(HttpCall call, const std::string& complaint) const;

  EndpointUrl url_;
  std::string account_;
  std::string region_;
  std::string token_;
  std::unique_ptr<CredentialSource> credentials_;
  std::unique_ptr<ServiceClient> client_;
  std::atomic<bool> is_hashrange_{false};  // it was asked
};

Result<std::unique_ptr<AgentTarget>> EndpointTarget::Open(const AgentEndpointOptions& options) {
  auto target = std::unique_ptr<EndpointTarget>(new EndpointTarget());
  HR_ASSIGN(target->url_, ParseEndpointUrl(options.url));
  const bool is_aws = IsAwsEndpoint(target->url_);
  if (is_aws && !options.account.empty()) {
    return ValidationError(
        "--account is for Hashrange; at AWS, the keys decide whose tables are seen");
  }
  if (options.account.empty()) {
    HR_ASSIGN(target->credentials_,
              FindCredentials({.profile = options.profile, .may_invent = !is_aws}));
  } else {
    target->credentials_ = GivenCredentials({.access_key = options.account, .secret_key = "any"});
  }
  if (!is_aws) {
    HR_ASSIGN(const SigningKeys keys, target->credentials_->Keys());
    target->account_ = AccountOfKey(keys.access_key);
  }
  target->region_ = ChooseRegion(options.region, target->url_, options.profile);
  const bool is_local = IsLoopbackName(target->url_.host);
  target->token_ = options.token.empty() && is_local ? options.usual_token : options.token;
  HR_ASSIGN(target->client_, ServiceClient::Open({.endpoint = target->url_,
                                                  .region = target->region_,
                                                  .credentials = target->credentials_.get(),
                                                  .max_connections = 4,
                                                  .max_attempts = kMostAttempts,
                                                  .answer_timeout = kAnswerTimeout}));
  return std::unique_ptr<AgentTarget>(std::move(target));
}

std::string EndpointTarget::Description() const {
  return url_.Text() + (IsAwsEndpoint(url_) ? ", which is AWS: calls cost money" : "");
}

Answer EndpointTarget::Call(std::string_view operation, std::string_view json) {
  ServiceReply reply = client_->Call(operation, std::string(json));
  if (reply.status == 0) return {.status = 0, .body = std::move(reply.message)};
  return {.status = reply.status, .body = std::move(reply.body)};
}

Error EndpointTarget::NotHashrange() const {
  return InternalError(url_.Text() +
                       " is not Hashrange, and this needs Hashrange's control API; calls of the "
                       "DynamoDB API and the lab go on");
}

Result<HttpReply> EndpointTarget::Send(HttpCall call, const std::string& complaint) const {
  call.host = url_.host;
  call.port = url_.port;
  if (!token_.empty()) call.authorization = "Bearer " + token_;
  std::string reason;
  HttpReply reply = SendHttpCall(call, &reason);
  if (reply.status == 0) return InternalError(complaint + url_.Text() + ": " + reason);
  return reply;
}

Status EndpointTarget::CheckIsHashrange() {
  if (is_hashrange_) return {};
  if (url_.is_tls) return NotHashrange();
  HR_ASSIGN(HttpReply reply, Send({.target = std::string(kControlRoot)}, "no server at "));
  if (reply.status != kOk && HasMember(reply.body, "error")) {
    HR_RETURN_IF_ERROR(ControlBody(reply.status, std::move(reply.body)));
  }
  if (reply.status != kOk || !HasMember(reply.body, "uptime_ms")) return NotHashrange();
  is_hashrange_ = true;
  return {};
}

Result<std::string> EndpointTarget::Control(std::string_view method, std::string_view path,
                                            std::string_view json) {
  HR_RETURN_IF_ERROR(CheckIsHashrange());
  HR_ASSIGN(HttpReply reply, Send({.method = std::string(method),
                                   .target = std::string(kControlRoot) + std::string(path),
                                   .body = std::string(json),
                                   .timeout = kControlTimeout,
                                   .max_answer_bytes = kMostControlBytes},
                                  "no answer of "));
  return ControlBody(reply.status, std::move(reply.body));
}

}  // namespace

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

Result<std::unique_ptr<AgentTarget>> OpenEndpointTarget(const AgentEndpointOptions& options) {
  return EndpointTarget::Open(options);
}

}  // namespace hashrange
