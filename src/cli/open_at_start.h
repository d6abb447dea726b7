// `serve`: makes the database, with what its data directory has, and shows the progress on a
// terminal.
#pragma once

#include <memory>
#include <string>

#include "cli/command_line.h"
#include "hashrange/database.h"

namespace hashrange {

struct OpenedDatabase {
  std::unique_ptr<Database> database;  // null on failure
  int tables = 0;                      // which the data directory had
  std::string sentence;                // what was loaded; empty without a data directory
};

// On failure, `*error` is the reason.
OpenedDatabase OpenAtStart(const CommandLine& line, std::string* error);

}  // namespace hashrange
