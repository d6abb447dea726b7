// `hashrange healthcheck`: for containers and scripts that wait for a server.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// Returns the exit code: 0 when the server at host:port answers, otherwise 1 after a line on
// stderr. An empty host means 127.0.0.1.
int RunHealthcheck(const std::string& host, std::uint16_t port);

}  // namespace hashrange
