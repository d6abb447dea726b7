// The text of --help.
#pragma once

#include <string>

#include "cli/command_description.h"

namespace CLI {
class App;
}

namespace hashrange {

// Returns the help of one command, in lines of at most 100 columns; words that are longer, such as
// addresses, are not broken.
std::string HelpText(const CommandDescription& command);

// Lets a parser, and the commands that are added to it afterwards, print HelpText().
void UseHelpText(CLI::App& app);

}  // namespace hashrange
