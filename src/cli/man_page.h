// The man page hashrange(1).
#pragma once

#include <string>
#include <string_view>

#include "cli/command_description.h"

namespace hashrange {

// Returns the page in roff with the macros of man(7), for groff and mandoc. `program` is the whole
// program.
std::string ManPage(const CommandDescription& program, std::string_view version);

}  // namespace hashrange
