// hashrange::Server: a Database behind the DynamoDB wire protocol, in this process, on
// threads of its own. It installs no signal handlers. Thread-safe, but for its destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hashrange/database.h"

namespace hashrange {

class Server {
 public:
  struct Options {
    std::string host = "";      // empty: 127.0.0.1 and, where there is IPv6, ::1
    std::uint16_t port = 8000;  // 0: a free one
    int threads = 0;            // 0: as many as the machine has cores
    // Who sends it may use the control API (docs/control-api.md) from anywhere; empty: only
    // programs on this machine may.
    std::string control_token = "";
  };

  // A server that listens and answers, or null and what is wrong in `*error`: the host does
  // not resolve, the port is taken. `database` outlives the server.
  static std::unique_ptr<Server> Start(Database& database, const Options& options,
                                       std::string* error);
  // The same in two steps, so that a port that is taken is noticed before tables are loaded: a
  // server that refuses connections, and what makes it listen and answer. False, and what is wrong,
  // when it does not: another program may have begun to listen on the port meanwhile. Once,
  // before Stop.
  static std::unique_ptr<Server> Bind(Database& database, const Options& options,
                                      std::string* error);
  bool Listen(std::string* error);
  ~Server();  // stops it

  std::uint16_t port() const;
  std::string endpoint() const;  // "http://127.0.0.1:8000"

  // Finishes the requests under way, closes every connection, and returns once all threads
  // have ended, within a second. Further calls do nothing.
  void Stop();
  // Returns when the server has stopped.
  void Wait();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace hashrange
