// `hashrange mcp`: the tools for agents, on stdin and stdout.
#pragma once

#include "cli/mcp_line.h"

namespace hashrange {

// Serves one client on stdin and stdout until its input ends (exit code 0), or SIGINT or SIGTERM is
// sent (0). Ends the process with 1 when the server cannot start. The stop signals are blocked
// (serve.h).
[[noreturn]] void ServeAgents(const McpLine& line);

}  // namespace hashrange
