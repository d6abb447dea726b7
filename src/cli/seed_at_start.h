// `serve --seed`: loads tables before the server listens, and shows the progress on a terminal.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "hashrange/database.h"

namespace hashrange {

// Loads line.seed, and puts into `*seeded` a sentence about what was loaded. Warnings go into the
// log. Returns false, with the reason in `*error`, when nothing was loaded.
bool SeedAtStart(const CommandLine& line, Database& database, std::string* seeded,
                 std::string* error);

}  // namespace hashrange
