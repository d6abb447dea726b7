// hashrange::Server: a Database behind the DynamoDB wire protocol, in this process, on
// threads of its own. It installs no signal handlers. Thread-safe, but for its destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
    // Folders below which programs of other users of this machine may have the server read seeds
    // and write dumps. Those of its own user, and who has the token, may name any path.
    std::vector<std::string> files = {};
    // Pages in a browser may call from this machine ("http://localhost:3000"), and from these
    // origins, "https://app.example:3000"; "*": from everywhere.
    std::vector<std::string> cors = {};
    // Names by which a server that listens on loopback addresses only is asked beside this
    // machine's, so that no page from elsewhere reaches it by a name of its own.
    std::vector<std::string> allowed_hosts = {};
    // What the bodies of unfinished requests may take of memory, from 32 MiB, and how many
    // connections there may be at a time; 0: 10,000, or as many as there are descriptors for.
    std::int64_t request_memory_bytes = 256LL << 20;
    int max_connections = 0;
  };

  // A server that listens and answers, or null and what is wrong in `*error`: the host does
  // not resolve, the port is taken, a folder of `files` is not there. `database` outlives the
  // server.
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
  std::string endpoint() const;  // "http://127.0.0.1:8000", the first of:
  std::vector<std::string> endpoints() const;

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
