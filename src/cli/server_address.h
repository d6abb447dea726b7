// The address of the server that a client of the command line calls.
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

// Returns the address in "http://host:port"; nothing for a text of another form. A '/' may follow.
// The default port is 80. An IPv6 address is in brackets.
std::optional<ServerAddress> ReadEndpoint(std::string_view url);

}  // namespace hashrange
