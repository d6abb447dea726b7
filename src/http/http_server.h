// HttpServer: sockets, threads and limits around its handlers. A single acceptor for
// each address gives connections to the threads in turn, so a port that is taken is
// refused rather than shared. Knows nothing of what it serves but the pages of
// docs/service/01-wire-protocol.md, section 1.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http/api_handler.h"
#include "http/control_handler.h"

namespace hashrange {

class HttpServer {
 public:
  struct Options {
    std::string host;           // empty: 127.0.0.1 and, where there is IPv6, ::1
    std::uint16_t port = 8000;  // 0: a free one
    int threads = 0;            // 0: as many as the machine has cores
    // How long a request may take to arrive once begun, and each piece of an answer to be
    // taken. A connection without a request under way may stay for ever.
    std::chrono::milliseconds patience{30'000};
    // How long Stop waits for requests under way.
    std::chrono::milliseconds grace{800};
    // Who sends it may use the control API from anywhere; empty: from this machine.
    std::string control_token;
    // Below which others than the server's own user, and who has the token, may have it read and
    // write files: absolute paths without links.
    std::vector<std::string> file_folders;
    // Pages of which further origins may call it, and by which further names (browser_access.h).
    std::vector<std::string> cors;
    std::vector<std::string> allowed_hosts;
    // limits.h. 0 connections: as many as usual.
    std::int64_t request_memory_bytes = 256LL << 20;
    int max_connections = 0;
  };
  struct Handlers {
    ApiHandler api;
    ControlHandler control = {};  // empty: there is no control API
  };

  // A server that listens and answers, or null and `*error`: the host does not resolve,
  // the port is taken, threads cannot be made.
  static std::unique_ptr<HttpServer> Start(Handlers handlers, const Options& options,
                                           std::string* error);
  // The same in two steps, for whoever has something to do between them: one that has its port
  // and refuses connections, and what makes it listen and answer. False, and `*error`, when it
  // does not: then it is only good for the destructor. Once, before Stop.
  static std::unique_ptr<HttpServer> Bind(Handlers handlers, const Options& options,
                                          std::string* error);
  bool Listen(std::string* error);
  ~HttpServer();

  std::uint16_t port() const;
  // "http://127.0.0.1:8000", the first of those on this machine.
  std::string endpoint() const;
  std::vector<std::string> endpoints() const;

  // Stops listening, finishes the requests under way, closes what is idle, and returns
  // when all threads have ended: within `grace`. From any thread that is not the
  // server's own; further calls do nothing.
  void Stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace hashrange
