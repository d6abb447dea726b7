// Which server a client of the command line asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

struct ServerAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
};

// "http://host:port", with or without a '/' behind it and a port (80); an IPv6 address stands
// in brackets. Nothing for any other text.
std::optional<ServerAddress> ReadEndpoint(std::string_view url);

}  // namespace hashrange
