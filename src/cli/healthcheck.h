// `hashrange healthcheck`: for containers and scripts that wait for a server.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// The exit code: 0 when the server at host:port (empty: 127.0.0.1) answers, else 1 after a
// line on stderr.
int RunHealthcheck(const std::string& host, std::uint16_t port);

}  // namespace hashrange
