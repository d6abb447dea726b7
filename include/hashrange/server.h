// hashrange::Server serves a Database over the DynamoDB wire protocol, in this process, on
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
    // Only callers that send this token may use the control API (docs/control-api.md), but from any
    // machine. Empty: only programs on this machine may use the control API, without a token.
    std::string control_token = "";
    // Folders below which the control API may read seeds and write dumps for other users of this
    // machine. Programs of the server's own user, and callers with the token, may name any path.
    std::vector<std::string> files = {};
    // Origins whose web pages may call the server, such as "https://app.example:3000"; "*": all.
    // Pages of this machine ("http://localhost:3000") always may.
    std::vector<std::string> cors = {};
    // Names that clients may send as Host, besides those of this machine. A server that listens on
    // loopback addresses only refuses other names, so that no web page of another site reaches the
    // server under a name of that site.
    std::vector<std::string> allowed_hosts = {};
    // GET and HEAD of "/" are answered with 400, as DynamoDB Local answers them: some programs wait
    // for that. False: GET is answered with 200, as the service answers it.
    bool answers_root_with_400 = false;
    // Whether the server has the page /_hashrange/console (docs/console.md): "on", "off", or
    // "read-only", with which the page shows nothing that writes.
    std::string console = "off";
    // How much memory the bodies of all unfinished requests may take, at least 32 MiB; and how many
    // connections there may be at a time. 0 connections: 10,000. There are never more
    // connections than the process may have file descriptors for.
    std::int64_t request_memory_bytes = 256LL << 20;
    int max_connections = 0;
  };

  // Returns a server that listens and answers; null, with the reason in `*error`, on failure.
  // `database` outlives the server.
  // Errors: the host does not resolve, the port is taken, a folder of `files` does not exist, or
  //         `console` is another word
  static std::unique_ptr<Server> Start(Database& database, const Options& options,
                                       std::string* error);
  // Start in two steps, so that a taken port is noticed before tables are loaded. Bind returns a
  // server that still refuses connections; Listen makes it listen and answer. Listen is called
  // once, before Stop. It returns false, with the reason in `*error`, when it fails: another
  // program may have begun to listen on the port since Bind.
  static std::unique_ptr<Server> Bind(Database& database, const Options& options,
                                      std::string* error);
  bool Listen(std::string* error);
  ~Server();  // calls Stop

  std::uint16_t port() const;
  std::string endpoint() const;                // "http://127.0.0.1:8000", the first of endpoints()
  std::vector<std::string> endpoints() const;  // one for each address it listens on

  // Gives the requests under way less than a second to finish, closes every connection, and returns
  // when the threads that serve connections have ended. Stop does not wait for calls of the control
  // API that are still running: the destructor does. Further calls of Stop do nothing.
  void Stop();
  // Returns when the server has stopped.
  void Wait();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace hashrange
