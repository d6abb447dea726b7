// The whole program as data: all its commands and options.
#pragma once

#include "cli/command_description.h"

namespace hashrange {

// Returns the program, with the commands of `ctl` and `lab`, whose parsers are apart.
CommandDescription DescribeProgram();

}  // namespace hashrange
