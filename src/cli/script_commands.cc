#include "cli/script_commands.h"

#include <cstdio>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/man_page.h"
#include "cli/program_description.h"

namespace hashrange {
namespace {

int Print(const std::string& text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written && std::fflush(stdout) == 0) return 0;
  std::fprintf(stderr, "hashrange: cannot write to stdout\n");
  return 1;
}

}  // namespace

int RunCompletion(const std::string& shell) {
  const CommandDescription program = DescribeProgram();
  if (shell == "zsh") return Print(ZshCompletion(program));
  if (shell == "fish") return Print(FishCompletion(program));
  return Print(BashCompletion(program));
}

int RunMan() { return Print(ManPage(DescribeProgram(), ProgramVersion())); }

}  // namespace hashrange
