#include "cli/ctl/server_call.h"

#include <chrono>

#include "base/text/parse_whole.h"
#include "cli/terminal/program_output.h"
#include "remote/client/environment.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Long enough for a call that reads or writes large files.
constexpr std::chrono::minutes kPatience{10};
constexpr std::size_t kMaxAnswerBytes = std::size_t{1} << 30;
constexpr std::uint16_t kHttpPort = 80;

std::optional<std::uint16_t> ReadPort(std::string_view text) {
  const auto port = ParseWhole<std::uint16_t>(text);
  return port != 0 ? port : std::nullopt;
}

// Returns the server's reason for refusing a call.
std::string ErrorSentence(const HttpReply& reply) {
  const auto json = OwnedJson::Parse(reply.body, JsonDialect::kRequest);
  const std::string sentence(json.ok() ? TextMember(json.value().value(), "error") : "");
  if (!sentence.empty()) return sentence;
  return "the server answers " + std::to_string(reply.status) + " " + reply.body;
}

}  // namespace

std::optional<ServerAddress> ReadEndpoint(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) return std::nullopt;
  url.remove_prefix(kScheme.size());
  if (url.ends_with('/')) url.remove_suffix(1);
  std::string_view host, rest;
  if (url.starts_with('[')) {
    const std::size_t end = url.find(']');
    if (end == url.npos) return std::nullopt;
    host = url.substr(1, end - 1);
    rest = url.substr(end + 1);
  } else {
    host = url.substr(0, url.find(':'));
    rest = url.substr(host.size());
  }
  if (host.empty() || host.find_first_of("/?#@ []") != host.npos) return std::nullopt;
  if (rest.empty()) return ServerAddress{std::string(host), kHttpPort};
  if (!rest.starts_with(':')) return std::nullopt;
  const auto port = ReadPort(rest.substr(1));
  if (!port) return std::nullopt;
  return ServerAddress{std::string(host), *port};
}

Result<HttpCall> CallTo(const ServerOptions& options) {
  ServerAddress address = options.address;
  std::string url;
  if (!options.names_address) {
    url = options.endpoint ? *options.endpoint : EnvironmentVariable("HASHRANGE_ENDPOINT");
  }
  if (!url.empty()) {
    const auto endpoint = ReadEndpoint(url);
    if (!endpoint) return ValidationError("not an endpoint like http://127.0.0.1:8000: " + url);
    address = *endpoint;
  }
  HttpCall call;
  call.host = address.host;
  call.port = address.port;
  const std::string token =
      options.token.empty() ? EnvironmentVariable("HASHRANGE_TOKEN") : options.token;
  if (!token.empty()) call.authorization = "Bearer " + token;
  call.timeout = kPatience;
  call.max_answer_bytes = kMaxAnswerBytes;
  return call;
}

Result<HttpReply> SendCtlCall(const HttpCall& call) {
  std::string reason;
  HttpReply reply = SendHttpCall(call, &reason);
  if (reply.status == 0) {
    return InternalError("no server at " + call.host + " port " + std::to_string(call.port) + ": " +
                         reason);
  }
  if (!reply.ok()) return InternalError(ErrorSentence(reply));
  return reply;
}

int RunHealthcheck(const std::string& host, std::uint16_t port) {
  const std::string asked = host.empty() ? ServerAddress().host : host;
  std::string reason;
  if (ProbeHealth(asked, port, std::chrono::seconds(2), &reason)) return 0;
  std::fprintf(stderr, "hashrange: no healthy server at %s port %d: %s\n", asked.c_str(), port,
               reason.c_str());
  return kFailure;
}

}  // namespace hashrange
