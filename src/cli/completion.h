// Scripts that complete the commands, options and values of the program in a shell. Each is
// written from the same description, which the parsers of the command line give.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_description.h"

namespace hashrange {

// Each returns the script for its shell. `program` is the whole program; its path has no space.
std::string BashCompletion(const CommandDescription& program);
std::string ZshCompletion(const CommandDescription& program);
std::string FishCompletion(const CommandDescription& program);

// Returns the text in single quotes, as bash and zsh read it: it's → 'it'\''s'.
std::string ShellQuoted(std::string_view text);

}  // namespace hashrange
