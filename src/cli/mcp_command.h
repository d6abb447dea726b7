// `hashrange mcp`: the tools for agents, on stdin and stdout. Used by the first thread.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "cli/options/command_row.h"

namespace hashrange {

struct McpLine {
  bool is_over = false;  // the text is printed already: exit with `exit_code`
  int exit_code = 0;

  // The database of the process: its seed, its data directory and its log. With `serves`, programs
  // reach it at the port.
  CommandLine place = {};
  bool serves = false;

  std::string endpoint = {};  // a URL, in place of a database; empty: none
  std::string profile = {};   // of the credentials for the endpoint; empty: the usual one
  std::string token = {};     // for the control API of the endpoint; empty: none
  std::string account = {};   // 12 digits; empty: not given
  std::string region = {};    // empty: not given
  std::string reports = {};   // a directory; empty: a temporary one
  bool is_read_only = false;
};

// Returns what the arguments ask for; `argv` begins with "mcp". Prints the help to stdout when the
// user asks for it, and one line to stderr when an argument is wrong (exit code 2).
McpLine ParseMcpLine(int argc, const char* const* argv);

// Returns the options of `hashrange mcp`, for texts: no variable gets their values.
CommandRow DescribeMcp();

// Serves one client on stdin and stdout until its input ends (exit code 0), or SIGINT or SIGTERM is
// sent (0). Ends the process with 1 when the server cannot start. The stop signals are blocked
// (serving_process.h).
[[noreturn]] void ServeAgents(const McpLine& line);

}  // namespace hashrange
