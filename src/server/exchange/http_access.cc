#include "server/exchange/http_access.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/text/host_name.h"
#include "base/text/short_text.h"
#include "control/control_request.h"

namespace hashrange {
namespace {

constexpr std::string_view kAnyOrigin = "*";
constexpr std::string_view kNoOrigin = "null";
constexpr std::string_view kBehindScheme = "://";
// Host names are shorter than this. A longer origin is not allowed: an allowed origin is repeated
// in the answer's head, for which there are only kAnswerHeadRoom bytes.
constexpr std::size_t kMaxOriginBytes = 300;

// Returns whether `origin` is http or https, and its host is a name of this machine.
bool IsOriginOfThisMachine(std::string_view origin) {
  const std::size_t at = origin.find(kBehindScheme);
  if (at == origin.npos) return false;
  const std::string_view scheme = origin.substr(0, at);
  if (!SameName(scheme, "http") && !SameName(scheme, "https")) return false;
  return IsLoopbackName(HostWithoutPort(origin.substr(at + kBehindScheme.size())));
}

// Browsers send an origin without a slash at its end; people often write one.
std::vector<std::string> WithoutSlashes(std::vector<std::string> origins) {
  for (std::string& origin : origins) {
    if (origin.ends_with('/')) origin.pop_back();
  }
  return origins;
}

std::vector<std::string> WithoutPorts(std::vector<std::string> hosts) {
  for (std::string& host : hosts) host = HostWithoutPort(host);
  return hosts;
}

// Returns whether `text` has only printable ASCII characters, and no space.
bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

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

bool IsOrigin(std::string_view text) {
  if (text == kNoOrigin) return true;
  const std::size_t at = text.find(kBehindScheme);
  if (at == text.npos || at == 0 || !IsPlain(text) || text.size() > kMaxOriginBytes) return false;
  const std::string_view host = text.substr(at + kBehindScheme.size());
  // An origin with a star would be taken for a pattern, and there are no patterns.
  if (host.find('*') != host.npos) return false;
  return !host.empty() && host.front() != '/' && host.find('/') >= host.size() - 1;
}

BrowserAccess::BrowserAccess(std::vector<std::string> origins, std::vector<std::string> hosts)
    : origins_(WithoutSlashes(std::move(origins))),
      hosts_(WithoutPorts(std::move(hosts))),
      allows_any_origin_(std::ranges::count(origins_, kAnyOrigin) > 0) {}

std::string BrowserAccess::OpenOrigins() const {
  std::string open;
  for (const std::string& origin : origins_) {
    if (origin != kAnyOrigin && !SameName(origin, kNoOrigin)) continue;
    open.append(open.empty() ? "--cors " : ", --cors ").append(origin);
  }
  return open;
}

void BrowserAccess::EnableHostCheck(std::uint16_t port) {
  checks_host_ = true;
  for (const char* name : {"127.0.0.1:", "localhost:", "[::1]:"}) {
    usual_hosts_.push_back(name + std::to_string(port));
  }
}

std::optional<Refusal> BrowserAccess::Refuse(const HttpRequest& request) const {
  if (checks_host_ && !request.host.empty() && !IsAllowedHost(request.host)) {
    return Refusal{403,
                   "This server is asked by a name that is none of this machine: hashrange serve "
                   "--allow-host NAME lets it in."};
  }
  if (request.origin && !IsAllowedOrigin(*request.origin) && !IsOwnPage(request)) {
    return RefuseOrigin(*request.origin);
  }
  return std::nullopt;
}

std::string_view BrowserAccess::AllowedOrigin(const HttpRequest& request) const {
  return allows_any_origin_ ? kAnyOrigin : *request.origin;
}

bool BrowserAccess::IsAllowedOrigin(std::string_view origin) const {
  if (allows_any_origin_) return true;
  if (origin.size() > kMaxOriginBytes) return false;
  return IsOriginOfThisMachine(origin) ||
         std::ranges::any_of(origins_,
                             [&](const std::string& allowed) { return SameName(allowed, origin); });
}

bool BrowserAccess::IsAllowedHost(std::string_view host) const {
  for (const std::string& usual : usual_hosts_) {
    if (SameText(host, usual)) return true;
  }
  const std::string_view name = HostWithoutPort(host);
  if (IsLoopbackName(name) || IsAddress(name)) return true;
  return !name.empty() && std::ranges::any_of(hosts_, [&](const std::string& allowed) {
    return SameName(allowed, name);
  });
}

bool BrowserAccess::IsOwnPage(const HttpRequest& request) const {
  return request.origin->size() <= kMaxOriginBytes && !request.is_ambiguous &&
         IsOwnOrigin(request) && IsAllowedHost(request.host);
}

// A browser hides the answer from the page that was refused, so the log shows the reason to the
// person who runs the server.
Refusal BrowserAccess::RefuseOrigin(std::string_view origin) const {
  const bool can_be_shown = origin.size() <= kMaxOriginBytes && IsPlain(origin);
  if (can_be_shown && refused_.Admits(std::hash<std::string_view>()(origin),
                                      RepeatLimit::TimePoint::clock::now())) {
    // Any site can send "null", from a frame in a sandbox: that origin is never to be let in.
    Log(LogLevel::kWarning,
        SameName(origin, kNoOrigin)
            ? "a page without an origin, such as a file or a sandboxed frame, was refused"
            : std::string("a page of the origin ")
                  .append(origin)
                  .append(" was refused: --cors ")
                  .append(origin)
                  .append(" lets it in; use that only if you trust this page"));
  }
  return Refusal{403,
                 "This server answers pages of this machine only: hashrange serve --cors ORIGIN "
                 "lets those of another origin in."};
}

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
