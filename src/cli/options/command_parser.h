// Parses a command line by the rows of its commands. The only file of the program that knows its
// library for command lines is command_parser.cc. Used by the first thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/command_row.h"

namespace hashrange {

// What became of a command line. Where it was neither refused nor printed, the targets of the rows
// have the values.
struct ParsedLine {
  std::string wrong = {};                  // why the line was refused; empty: it was not
  bool is_printed = false;                 // the help or the version, which the user asked for
  std::vector<std::string> commands = {};  // which were given: {"measure", "report"}
};

// Parses the arguments; `argv` begins with the program or the command. Prints the help or the
// version to stdout when the user asks for it.
ParsedLine ParseRows(const CommandRow& row, int argc, const char* const* argv);

// Prints to stderr why a command line is refused, and that `path` has a help. Returns the exit code
// kUsageError.
int RefuseUsage(std::string_view path, std::string_view why);

}  // namespace hashrange
