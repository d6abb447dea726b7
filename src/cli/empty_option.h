// Finds arguments that are empty, as when a shell variable is not set. A pure function; any thread.
#pragma once

#include <string>

namespace hashrange {

// Returns the option whose value is an empty text, or what stands before an empty argument; empty
// when there is none. The parser of the command line would drop the text, or take the next argument
// for the value. `argv` begins with the program or a command.
std::string EmptyOption(int argc, const char* const* argv);

}  // namespace hashrange
