// `hashrange serve`: serves a Database with a Server until a signal.
#pragma once

#include "cli/command_line.h"

namespace hashrange {

// Serves until SIGINT or SIGTERM, then ends the process with 0; with 1, after a line on stderr,
// when the server cannot start. A signal that arrives while a seed is being loaded ends the process
// as well. Called by the first thread, after BlockStopSignals (platform/signals.h) and before any
// other thread starts.
[[noreturn]] void Serve(const CommandLine& line);

}  // namespace hashrange
