// `hashrange serve`: serves a Database with a Server until a signal.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"

namespace hashrange {

// Serves until SIGINT or SIGTERM, then ends the process with 0; with 1, after a line on stderr,
// when the server cannot start. A signal that arrives while a seed is being loaded ends the process
// as well. Called by the first thread, after BlockStopSignals (platform/signals.h) and before any
// other thread starts.
[[noreturn]] void Serve(const CommandLine& line);

// Writes the ready line, {"endpoint":"http://127.0.0.1:43211","port":43211,"pid":1234}, and closes
// the descriptor; a standard descriptor is redirected to /dev/null. The line is for the program
// that has started the server: if this program lets the system choose the port, it learns the port
// from the line. Returns false when the line could not be written: the reader is gone, or the pipe
// is full.
bool WriteReadyLine(int descriptor, const std::string& endpoint, std::uint16_t port);

}  // namespace hashrange
