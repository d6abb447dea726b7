// `hashrange ctl`: the control API of a running server, from a terminal or a script.
#pragma once

namespace hashrange {

// Asks the server and prints its answer: as it came, or as tables for a person at a terminal.
// `argv` begins with "ctl". The exit code: 0; 1 when there is no server, or it refuses, after
// a line on stderr; 2 when the command line is wrong.
int RunCtl(int argc, const char* const* argv);

}  // namespace hashrange
