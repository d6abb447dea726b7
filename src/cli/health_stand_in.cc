#include "cli/health_stand_in.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

#include "base/text/parse_whole.h"
#include "cli/ctl/server_call.h"

namespace hashrange {
namespace {

constexpr std::uint16_t kPort = 8000;
constexpr int kNotFound = 127;

// Returns the port at the start of ":8001/shell/" or " 8001"; kPort where there is none.
std::uint16_t PortIn(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  if (text.empty() || (text.front() != ':' && text.front() != ' ')) return kPort;
  text.remove_prefix(1);
  text = text.substr(0, std::min(text.find_first_not_of(kDigits), text.size()));
  return ParseWhole<std::uint16_t>(text).value_or(kPort);
}

}  // namespace

bool IsHealthStandIn(std::string_view called) {
  const std::string_view name = called.substr(called.find_last_of('/') + 1);
  constexpr std::string_view kNames[] = {"sh", "curl", "wget", "nc"};
  return std::ranges::count(kNames, name) > 0;
}

std::optional<std::uint16_t> PortOfHealthCheck(std::span<const char* const> words) {
  std::string text;
  for (const char* const word : words) text.append(text.empty() ? "" : " ").append(word);
  for (const std::string_view host : {"localhost", "127.0.0.1", "0.0.0.0", "[::1]"}) {
    const std::size_t at = text.find(host);
    if (at != text.npos) return PortIn(std::string_view(text).substr(at + host.size()));
  }
  return std::nullopt;
}

int RunHealthStandIn(std::span<const char* const> words) {
  if (const auto port = PortOfHealthCheck(words)) return RunHealthcheck("", *port);
  std::fprintf(stderr,
               "hashrange: this image has no shell; sh, curl, wget and nc only check the health of "
               "a server at localhost (docs/moving.md)\n");
  return kNotFound;
}

}  // namespace hashrange
