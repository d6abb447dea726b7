// `hashrange console`: opens the console of a server, its page in the browser (docs/console.md).
// Used by the first thread.
#pragma once

#include <string>

#include "cli/options/command_row.h"
#include "remote/client/http_call.h"

namespace hashrange {

// Returns the row of the command, for texts.
CommandRow DescribeConsole();

// Returns the address of the page at the server that the call is for.
std::string ConsoleAddress(const HttpCall& call);

// Parses the arguments, of which the first is the command's name. Prints the page's address to
// stdout, and opens the page where the system has a program for that. Returns the exit code: 0; 1
// when the server does not answer or has no console; 2 when an argument is wrong.
int RunConsole(int argc, const char* const* argv);

}  // namespace hashrange
