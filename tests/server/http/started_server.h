// Starts the HTTP servers of tests.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/http/http_server.h"

namespace hashrange {

// Returns a server at a free port. Throws, so that the test fails, when the server cannot start.
inline std::unique_ptr<HttpServer> StartServer(HttpServer::Handlers handlers,
                                               HttpServer::Options options) {
  options.port = 0;
  std::string error;
  auto server = HttpServer::Start(std::move(handlers), options, &error);
  if (!server) throw std::runtime_error(error);
  return server;
}

}  // namespace hashrange
