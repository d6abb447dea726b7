#include "server/http/control_access.h"

#include <string>

#include "base/lower_case.h"
#include "control/control_request.h"
#include "server/net/host_name.h"

namespace hashrange {
namespace {

// Browsers leave out the default port of the scheme; other programs may send it.
std::string_view WithoutDefaultPort(std::string_view host) {
  constexpr std::string_view kDefaultPort = ":80";
  return host.ends_with(kDefaultPort) ? host.substr(0, host.size() - kDefaultPort.size()) : host;
}

// Returns whether the request is sent by a page of this server itself, or by no page. The server
// speaks no TLS, so none of its own pages has an origin with https.
bool IsOwnOrigin(const HttpRequest& request) {
  if (request.origin) {
    constexpr std::string_view kScheme = "http://";
    // Host names and schemes may be written in any case.
    const std::string origin = LowerCase(*request.origin);
    const std::string host = LowerCase(request.host);
    if (host.empty() || !origin.starts_with(kScheme)) return false;
    const std::string_view sender = std::string_view(origin).substr(kScheme.size());
    if (WithoutDefaultPort(sender) != WithoutDefaultPort(host)) return false;
  }
  const std::string_view site = request.fetch_site.value_or("none");
  return site == "none" || site == "same-origin";
}

// The time of the comparison does not depend on where the texts differ.
bool IsSameInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

bool HasToken(const HttpRequest& request, std::string_view token) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view sent = request.authorization.value_or("");
  return sent.starts_with(kBearer) && IsSameInConstantTime(sent.substr(kBearer.size()), token);
}

}  // namespace

bool IsControlPath(std::string_view path) {
  constexpr std::string_view kPath = kControlPath;
  return path.starts_with(kPath) || path == kPath.substr(0, kPath.size() - 1);
}

std::optional<Refusal> RefuseControl(const HttpRequest& request, bool is_loopback_peer,
                                     std::string_view token) {
  if (request.is_ambiguous) {
    return Refusal{400,
                   "Host, Origin, Sec-Fetch-Site and Authorization may each stand in a "
                   "request once."};
  }
  if (!IsOwnOrigin(request)) {
    return Refusal{403, "The control API does not answer pages of another origin."};
  }
  if (!token.empty()) {
    if (HasToken(request, token)) return std::nullopt;
    return Refusal{401,
                   "The control API of this server wants its --control-token, as "
                   "Authorization: Bearer TOKEN."};
  }
  if (!is_loopback_peer || request.is_forwarded) {
    return Refusal{403,
                   "The control API answers this machine only, and no proxy on it, unless the "
                   "server was started with --control-token."};
  }
  if (!request.host.empty() && !IsLoopbackName(HostWithoutPort(request.host))) {
    return Refusal{403,
                   "The control API answers to localhost, 127.0.0.1 and [::1] only, unless "
                   "the server was started with --control-token."};
  }
  return std::nullopt;
}

}  // namespace hashrange
