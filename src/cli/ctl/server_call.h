// A call to a running server, as the commands of `hashrange ctl` make it: which server they mean,
// and what it answers. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "remote/client/http_call.h"

namespace hashrange {

struct ServerAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
};

// Returns the address in "http://host:port"; nothing for a text of another form. A '/' may follow.
// The default port is 80. An IPv6 address is in brackets.
std::optional<ServerAddress> ReadEndpoint(std::string_view url);

// What the command line says about the server.
struct ServerOptions {
  std::optional<std::string> endpoint = {};  // a URL; nothing: not given
  ServerAddress address = {};
  bool names_address = false;  // the host or the port is given, and the endpoint does not count
  std::string token = {};      // empty: not given
};

// Returns a call without its method, target and body. The variables HASHRANGE_ENDPOINT and
// HASHRANGE_TOKEN stand in for what the options do not say.
// Errors: ValidationException  the text of the endpoint has another form
Result<HttpCall> CallTo(const ServerOptions& options);

// Returns the server's answer, which is one of success.
// Errors: InternalServerError  there is no server, or it refuses the call; the sentence is for the
//         user
Result<HttpReply> SendCtlCall(const HttpCall& call);

// `hashrange healthcheck`, for containers and scripts that wait for a server. Returns the exit
// code: 0 when the server at host:port answers, otherwise 1 after a line on stderr. An empty host
// means 127.0.0.1.
int RunHealthcheck(const std::string& host, std::uint16_t port);

}  // namespace hashrange
