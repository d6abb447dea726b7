#include "remote/client/container_credentials.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/file_text.h"
#include "base/time_text.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/environment.h"
#include "remote/client/http_call.h"
#include "server/net/host_name.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kAgentOfEcs = "http://169.254.170.2";
// Without TLS, only these are asked, as by AWS's SDKs: the agents of ECS and EKS, and this machine.
constexpr std::string_view kAgents[] = {"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};
constexpr const char* kRelative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr const char* kFull = "AWS_CONTAINER_CREDENTIALS_FULL_URI";

Error AgentError(std::string why) {
  return ValidationError("The credentials of this container cannot be had: " + std::move(why));
}

bool MayBeAsked(const EndpointUrl& url) {
  for (const std::string_view agent : kAgents) {
    if (url.host == agent) return true;
  }
  return IsLoopbackName(url.host) || url.host == "::1";
}

// Returns what the agent wants to see, from a file or from the environment; empty: nothing.
Result<std::string> Authorization() {
  const std::string path = EnvironmentVariable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  std::string token = EnvironmentVariable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (!path.empty()) {
    constexpr std::size_t kMaxTokenBytes = 64 << 10;
    auto text = ReadFileText(path, kMaxTokenBytes);
    if (!text.ok()) return AgentError(text.error().message);
    token = std::move(*text);
  }
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.find_first_of("\r\n") != token.npos) {
    return AgentError("the authorization token has several lines");
  }
  return token;
}

}  // namespace

bool HasContainerCredentials() {
  return !EnvironmentVariable(kRelative).empty() || !EnvironmentVariable(kFull).empty();
}

Result<SigningKeys> AskForContainerCredentials() {
  const std::string relative = EnvironmentVariable(kRelative);
  // Another text behind the agent's address could turn it into that of another host.
  if (!relative.empty() && relative.front() != '/') {
    return AgentError(std::string(kRelative) + " does not begin with /: " + relative);
  }
  const std::string address =
      relative.empty() ? EnvironmentVariable(kFull) : std::string(kAgentOfEcs) + relative;
  const std::string query = address.substr(std::min(address.find('?'), address.size()));
  HR_ASSIGN(const EndpointUrl url,
            ParseEndpointUrl(std::string_view(address).substr(0, address.size() - query.size())));
  if (url.is_tls) {
    return AgentError(url.Text() + " is one of https, and only addresses of http are asked");
  }
  if (!MayBeAsked(url)) {
    return AgentError(url.Text() + " is neither on this machine nor an agent of ECS or EKS");
  }
  if (!std::ranges::all_of(query, [](char c) { return c > ' ' && c <= '~'; })) {
    return AgentError("its address has a character that no address has");
  }
  HttpCall call;
  call.host = url.host;
  call.port = url.port;
  call.target = url.path + query;
  HR_ASSIGN(call.authorization, Authorization());
  std::string reason;
  const HttpReply reply = SendHttpCall(call, &reason);
  if (reply.status == 0) return AgentError(url.Text() + ": " + reason);
  if (!reply.ok()) return AgentError(url.Text() + " answers " + std::to_string(reply.status));
  return ParseContainerCredentials(reply.body);
}

Result<SigningKeys> ParseContainerCredentials(std::string_view json) {
  const auto parsed = OwnedJson::Parse(std::string(json), JsonDialect::kRequest);
  if (!parsed.ok() || !parsed.value().is_object()) {
    return AgentError("the agent's answer is not a JSON object");
  }
  SigningKeys keys;
  keys.access_key = TextMember(parsed.value().value(), "AccessKeyId");
  keys.secret_key = TextMember(parsed.value().value(), "SecretAccessKey");
  keys.session_token = TextMember(parsed.value().value(), "Token");
  if (keys.access_key.empty() || keys.secret_key.empty()) {
    return AgentError("the agent's answer has no AccessKeyId or no SecretAccessKey");
  }
  const std::string_view expiration = TextMember(parsed.value().value(), "Expiration");
  if (!expiration.empty()) {
    const std::optional<std::int64_t> expires = ParseInstant(expiration);
    if (!expires) return AgentError("the agent's answer has an Expiration that is no time");
    keys.expires_epoch_ms = *expires;
  }
  return keys;
}

}  // namespace hashrange
