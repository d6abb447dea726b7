// HttpServer: sockets, threads and limits around its handlers. Each address has a single acceptor,
// which gives connections to the threads in turn. (If each thread had an acceptor of its own, two
// servers could share a port by mistake. So starting on a taken port fails.) The server itself
// knows only the pages of docs/service/01-wire-protocol.md, section 1; its handlers give all other
// answers. One thread starts and destroys the server; Stop may be called from any thread that is
// not the server's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/durability.h"
#include "server/exchange/handlers.h"

namespace hashrange {

class HttpServer {
 public:
  struct Options {
    std::string host;           // empty: 127.0.0.1 and, where there is IPv6, ::1
    std::uint16_t port = 8000;  // 0: a free one
    int threads = 0;            // 0: as many as the machine has cores
    // The longest time from the first to the last byte of a request. A client that takes no byte of
    // its answer for a third of this time is disconnected. A connection without a request under way
    // stays open, unless all connections are taken.
    std::chrono::milliseconds patience{30'000};
    // How long Stop waits for requests under way.
    std::chrono::milliseconds grace{800};
    // Callers that send this token may use the control API from any machine. Empty: callers on
    // this machine may use it without a token.
    std::string control_token;
    // The folders in which the control API may read and write files for other users of this
    // machine: absolute paths without links. The server's own user, and callers with the token, may
    // name any path.
    std::vector<std::string> file_folders;
    // The `origins` and `hosts` of BrowserAccess.
    std::vector<std::string> cors;
    std::vector<std::string> allowed_hosts;
    // Whether "/" is answered as DynamoDB Local answers it (Routing).
    bool answers_root_with_400 = false;
    std::string console = "off";  // or "on" or "read-only" (Routing)
    // See limits.h: the memory of requests and of unsent answers. `max_connections` 0:
    // Limits::kUsualConnections. MaxConnections may lower it.
    std::int64_t request_memory_bytes = 256LL << 20;
    int max_connections = 0;
  };
  struct Handlers {
    ApiHandler api;
    ControlHandler control = {};  // empty: there is no control API
    // An answer waits until ApiAnswer::safe_after is safe; null: no answer waits.
    Durability* durability = nullptr;
  };

  // Returns a server that listens and answers; null, with the reason in `*error`, on failure.
  // Errors: the host does not resolve, the port is taken, or threads cannot be started
  static std::unique_ptr<HttpServer> Start(Handlers handlers, const Options& options,
                                           std::string* error);
  // Start in two steps, for a caller that has work to do between them. Bind returns a server that
  // has its port and still refuses connections; Listen makes it listen and answer. Listen is called
  // once, before Stop. If it returns false, with the reason in `*error`, the server can only be
  // destroyed.
  static std::unique_ptr<HttpServer> Bind(Handlers handlers, const Options& options,
                                          std::string* error);
  bool Listen(std::string* error);
  ~HttpServer();

  std::uint16_t port() const;
  // The first of `endpoints`: "http://127.0.0.1:8000".
  std::string endpoint() const;
  // An endpoint for each address of Listener::addresses.
  std::vector<std::string> endpoints() const;

  // Stops listening, closes idle connections, and answers the requests under way. After `grace`,
  // closes the connections that remain. Returns when the workers' threads have ended; the
  // destructor waits for control calls that are running. Further calls do nothing.
  void Stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace hashrange
