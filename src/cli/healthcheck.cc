#include "cli/healthcheck.h"

#include <chrono>
#include <cstdio>

#include "remote/client/http_call.h"

namespace hashrange {

int RunHealthcheck(const std::string& host, std::uint16_t port) {
  const std::string asked = host.empty() ? "127.0.0.1" : host;
  std::string reason;
  if (ProbeHealth(asked, port, std::chrono::seconds(2), &reason)) return 0;
  std::fprintf(stderr, "hashrange: no healthy server at %s port %d: %s\n", asked.c_str(), port,
               reason.c_str());
  return 1;
}

}  // namespace hashrange
