// `hashrange ctl`: the control API of a running server, from a terminal or a script.
#pragma once

#include "cli/options/command_row.h"

namespace hashrange {

// Returns the commands of `hashrange ctl` and their options, for texts: no variable gets their
// values.
CommandRow DescribeCtl();

// Returns the exit code of the program: 0 on success; 1, after a line on stderr, when there is no
// server or the server refuses; 2 when the command line is wrong. Sends the call and prints the
// answer: unchanged, or on a terminal as tables or indented JSON. `argv` begins with "ctl".
int RunCtl(int argc, const char* const* argv);

}  // namespace hashrange
