// The texts of described commands and options: how they are written, and what is said about them.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_description.h"

namespace hashrange {

// Returns the names and the value: "-o, --output FILE", "--json [FILE]", "FILE...".
std::string OptionForm(const OptionDescription& option);

// Returns "hashrange ctl fork [OPTIONS] FROM TO". An argument that may be left out is in brackets.
std::string UsageOf(const CommandDescription& command);

// Returns the help, the default, and how the option goes with others.
std::string OptionText(const OptionDescription& option);

// Returns the first clause of a help text, for the lists of a shell: up to "; ", ": ", " (" or ".
// ".
std::string_view FirstClause(std::string_view help);

}  // namespace hashrange
