// `hashrange completion SHELL` and `hashrange man`, which print what the program says about itself.
#pragma once

#include <string>

namespace hashrange {

// Prints the completion script for bash, zsh or fish. Returns the exit code: 1 if stdout cannot be
// written.
int RunCompletion(const std::string& shell);

// Prints the man page. Returns the exit code: 1 if stdout cannot be written.
int RunMan();

}  // namespace hashrange
