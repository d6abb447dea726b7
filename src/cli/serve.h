// `hashrange serve`: a Database behind a Server, until a signal.
#pragma once

#include "cli/command_line.h"

namespace hashrange {

// Serves until SIGINT or SIGTERM, then leaves the process with 0. Returns only when it could
// not start: the exit code, after a line on stderr. The first thread's, before any other.
int Serve(const CommandLine& line);

}  // namespace hashrange
