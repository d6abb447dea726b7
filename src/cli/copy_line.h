// The command line of `hashrange copy`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_description.h"

namespace hashrange {

// One side of a copy.
struct CopySide {
  std::string place;    // a URL, "aws:REGION", or a file or folder
  std::string profile;  // empty: not given
  std::string region;   // empty: not given
};

struct CopyLine {
  // What is wrong, or the help, is printed already: exit with `exit_code`.
  bool is_over = false;
  int exit_code = 0;

  CopySide from;
  CopySide to;
  std::string ca_file;
  std::vector<std::string> tables;
  std::map<std::string, std::string> renames;
  std::string prefix;
  bool into_existing = false;
  bool resumes = false;
  bool skips_verification = false;
  bool compresses = false;
  int segments = 8;
  double read_units = 0;   // a second; 0: not given
  double write_units = 0;  // likewise
  std::optional<double> spend_usd;
  std::string prices;  // a file; empty: the built-in prices
  std::string state;   // a file; empty: not given
};

// Returns what the arguments ask for; `argv` begins with "copy". Prints the help to stdout when the
// user asks for it, and one line to stderr when an argument is wrong (exit code 2).
CopyLine ParseCopyLine(int argc, const char* const* argv);

// Returns the options of `hashrange copy`.
CommandDescription DescribeCopy();

}  // namespace hashrange
