// The options of `hashrange serve`.
#pragma once

#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace hashrange {

// Adds all options of `serve`. The parser keeps pointers into `line`.
void AddServeOptions(CLI::App& app, CommandLine& line);

// Adds --host and --port.
void AddEndpoint(CLI::App& app, CommandLine& line, const char* host_text, const char* port_text);

}  // namespace hashrange
