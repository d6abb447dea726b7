// The text of --help, and the sentences about options that the man page and the completion scripts
// share with it. The rows are complete (CompleteRow). Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/command_row.h"

namespace hashrange {

// Returns the help of one command, in lines of at most 100 columns; words that are longer, such as
// addresses, are not broken.
std::string HelpText(const CommandRow& command);

// Returns the names and the value: "-o, --output FILE", "--json [FILE]", "FILE...".
std::string OptionForm(const OptionRow& option);

// Returns "hashrange ctl fork [OPTIONS] FROM TO". An argument that may be left out is in brackets.
std::string UsageOf(const CommandRow& command);

// Returns the help, the default, and how the option goes with others.
std::string OptionText(const OptionRow& option);

// Returns the first clause of a help text, for the lists of a shell: up to "; ", ": ", " (" or ".
// ".
std::string_view FirstClause(std::string_view help);

}  // namespace hashrange
