#include "http/control_access.h"

#include "control/control_request.h"

namespace hashrange {
namespace {

// "127.0.0.1:8000" without the port; "[::1]" keeps its brackets.
std::string_view NameOf(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool IsLoopbackHost(std::string_view host) {
  const std::string_view name = NameOf(host);
  const bool is_address =
      name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_address || name == "localhost" || name.ends_with(".localhost") || name == "[::1]";
}

// Of a page this server itself has sent, or of no page.
bool IsOwnOrigin(const HttpRequest& request) {
  if (request.origin) {
    std::string_view origin = *request.origin;
    const std::size_t at = origin.find("://");
    if (at == std::string_view::npos) return false;
    if (origin.substr(at + 3) != request.host) return false;
  }
  const std::string_view site = request.fetch_site.value_or("none");
  return site == "none" || site == "same-origin";
}

// In a time that says nothing of where they differ.
bool IsSame(std::string_view a, std::string_view b) {
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
  return sent.starts_with(kBearer) && IsSame(sent.substr(kBearer.size()), token);
}

}  // namespace

bool IsControlRequest(const HttpRequest& request) { return request.path.starts_with(kControlPath); }

std::optional<ControlRefusal> RefuseControl(const HttpRequest& request, bool is_loopback_peer,
                                            std::string_view token) {
  if (!IsOwnOrigin(request)) {
    return ControlRefusal{403, "The control API does not answer pages of another origin."};
  }
  if (!token.empty()) {
    if (HasToken(request, token)) return std::nullopt;
    return ControlRefusal{401,
                          "The control API of this server wants its --control-token, as "
                          "Authorization: Bearer TOKEN."};
  }
  if (!is_loopback_peer) {
    return ControlRefusal{403,
                          "The control API answers this machine only, unless the server was "
                          "started with --control-token."};
  }
  if (!request.host.empty() && !IsLoopbackHost(request.host)) {
    return ControlRefusal{403,
                          "The control API answers to localhost, 127.0.0.1 and [::1] only, unless "
                          "the server was started with --control-token."};
  }
  return std::nullopt;
}

}  // namespace hashrange
