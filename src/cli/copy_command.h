// `hashrange copy`: copies tables between endpoints, and from and into folders. Used by the first
// thread.
#pragma once

#include <string>

#include "cli/options/command_row.h"
#include "remote/copy/copy_run.h"

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

  CopySide from = {};
  CopySide to = {};
  std::string ca_file = {};
  // What the options say; the endpoints and the files are found and opened later.
  CopyRequest request = {};
  bool skips_verification = false;
  std::string prices = {};  // a file; empty: the built-in prices
  std::string state = {};   // a file; empty: not given
};

// Returns what the arguments ask for; `argv` begins with "copy". Prints the help to stdout when the
// user asks for it, and one line to stderr when an argument is wrong (exit code 2).
CopyLine ParseCopyLine(int argc, const char* const* argv);

// Returns the options of `hashrange copy`, for texts: no variable gets their values.
CommandRow DescribeCopy();

// Copies what the line asks for. Returns the exit code: 1 if the copy has failed or differs from
// its source, 2 if nothing was copied as the line does not fit what is there, kInterrupted if the
// user ended it.
int RunCopyLine(const CopyLine& line);

}  // namespace hashrange
