#include "base/text/host_name.h"

#include <algorithm>
#include <cstddef>

#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr std::string_view kLocalhost = "localhost";

}  // namespace

std::string_view HostWithoutPort(std::string_view host) {
  std::size_t end = std::min(host.find(':'), host.size());
  if (host.starts_with('[')) end = std::min(host.find(']'), host.size() - 1) + 1;
  std::string_view port = host.substr(end);
  if (!port.empty()) {
    if (port.front() != ':') return {};
    port.remove_prefix(1);
    if (!std::all_of(port.begin(), port.end(), IsDigit)) return {};
  }
  std::string_view name = host.substr(0, end);
  if (name.ends_with('.')) name.remove_suffix(1);
  return name;
}

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return LowerCase(x) == LowerCase(y); });
}

bool IsAddress(std::string_view name) {
  if (name.starts_with('[')) return name.ends_with(']');
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return IsDigit(c) || c == '.'; });
}

bool IsLoopbackName(std::string_view name) {
  if (name.starts_with("127.")) return IsAddress(name);
  return name == "[::1]" || IsLocalhost(name);
}

bool IsLocalhost(std::string_view name) {
  if (name.size() < kLocalhost.size()) return false;
  const std::string_view end = name.substr(name.size() - kLocalhost.size());
  if (!SameName(end, kLocalhost)) return false;
  return end.size() == name.size() || name[name.size() - end.size() - 1] == '.';
}

}  // namespace hashrange
