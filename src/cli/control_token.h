// The control token a server is started with, from where no list of processes shows it.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace hashrange {

// The token of --control-token, of the file that --control-token-file names, or of the variable
// HASHRANGE_TOKEN, in this order; empty when there is none. With `*error` when the file cannot be
// read or holds none: a server that was to be guarded is not to run without a guard.
std::string ReadControlToken(const CommandLine& line, std::string* error);

}  // namespace hashrange
