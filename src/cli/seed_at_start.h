// `serve --seed`: what is loaded before the server listens. A terminal sees how far it is.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "hashrange/database.h"

namespace hashrange {

// Loads line.seed, and puts into `*seeded` a sentence about what was loaded. Warnings go into the
// log. False, and what is wrong in `*error`, when nothing was loaded.
bool SeedAtStart(const CommandLine& line, Database& database, std::string* seeded,
                 std::string* error);

}  // namespace hashrange
