// hashrange::Database: all tables of one server, in this process's memory. Give it to a
// Server to reach it with any AWS SDK:
//
//   hashrange::Database database;
//   std::string error;
//   auto server = hashrange::Server::Start(database, {.port = 0}, &error);
//   if (!server) …                        // error says why
//   … point an SDK at server->endpoint() …
#pragma once

#include <cstdint>
#include <memory>

namespace hashrange {

class Database {
 public:
  struct Options {
    // One set of tables for every access key and Region, instead of one for each pair.
    bool shared_tables = false;
    // How long a table is CREATING, UPDATING or DELETING, in milliseconds. At 0 the next
    // call already sees it ACTIVE, or gone.
    std::int64_t transition_ms = 0;
  };

  Database();  // the default options
  explicit Database(const Options& options);
  ~Database();  // after every Server that serves it
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

 private:
  friend class Server;
  struct State;

  const std::unique_ptr<State> state_;
};

}  // namespace hashrange
