// ProbeHealth: asks a running server, over a plain blocking socket, whether it is well.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hashrange {

// Whether GET / at host:port answers 200 with the health text within `timeout` for each
// step; if not, `*reason` says why. Any thread.
bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason);

}  // namespace hashrange
