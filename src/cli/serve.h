// `hashrange serve`: a Database behind a Server, until a signal.
#pragma once

#include "cli/command_line.h"

namespace hashrange {

// From here on SIGINT and SIGTERM wait for Serve, in this thread and those it starts. First thing.
void BlockStopSignals();

// Behind BlockStopSignals. Serves until SIGINT or SIGTERM, then ends the process with 0; with 1,
// after a line on stderr, when it cannot start. A signal that comes while a seed is being loaded
// ends it as well. The first thread's, before any other.
[[noreturn]] void Serve(const CommandLine& line);

}  // namespace hashrange
