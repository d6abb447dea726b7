// What the functions of hashrange.wasm share: the one database of the module, its server, its
// dumps, and the texts that the host writes before a call. The module has one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "hashrange/database.h"
#include "server/hosted/hosted_server.h"

// Defines a function that the host calls: HR_EXPORT(name)(parameters)->result { … }.
#define HR_EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

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

// Takes the texts of the input one after the other. A size that is too large takes what is left.
class InputTexts {
 public:
  explicit InputTexts(std::string_view input) : rest_(input) {}
  std::string_view Next(std::size_t size) {
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view rest_;
};

}  // namespace hashrange
