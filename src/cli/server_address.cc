#include "cli/server_address.h"

#include <charconv>

namespace hashrange {
namespace {

constexpr std::uint16_t kHttpPort = 80;

std::optional<std::uint16_t> ReadPort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, port);
  if (failure != std::errc() || stop != end || port == 0) return std::nullopt;
  return port;
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

}  // namespace hashrange
