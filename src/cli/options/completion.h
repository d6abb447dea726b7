// Scripts that complete the commands, options and values of the program in a shell. Each is made of
// the rows that the command line is parsed by. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/command_row.h"

namespace hashrange {

// Each returns the script for its shell. `program` is the whole program, complete
// (CompleteRow); its path has no space.
std::string BashCompletion(const CommandRow& program);
std::string ZshCompletion(const CommandRow& program);
std::string FishCompletion(const CommandRow& program);

// Returns the text in single quotes, as bash and zsh read it: it's → 'it'\''s'.
std::string ShellQuoted(std::string_view text);

}  // namespace hashrange
