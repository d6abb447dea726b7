#include "http/health_probe.h"

#include "http/http_call.h"

namespace hashrange {

bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason) {
  HttpCall call;
  call.host = host;
  call.port = port;
  call.timeout = timeout;
  const HttpReply reply = Exchange(call, reason);
  if (reply.status == 200 && reply.body.starts_with("healthy: ")) return true;
  if (reply.status != 0) *reason = "something else answers there";
  return false;
}

}  // namespace hashrange
