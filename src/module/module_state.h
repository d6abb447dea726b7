// What the functions of hashrange.wasm share: the one database of the module, its server, its
// dumps, and the texts that the host writes before a call (module/host_calls.h). The module has one
// thread.
#pragma once

#include <memory>
#include <string>

#include "hashrange/database.h"
#include "server/hosted/hosted_server.h"

namespace hashrange {

struct Module {
  std::unique_ptr<Database> database;
  std::unique_ptr<HostedServer> server;  // null: the host has no sockets
  std::string input;
  Answer answer;
  std::unique_ptr<Database::TextDump> dump;       // whose lines are read; null: none
  std::unique_ptr<Database::TextDump> last_dump;  // that the host has kept; null: none
};

inline Module& TheModule() {
  static Module module;
  return module;
}

}  // namespace hashrange
