// The command line of `hashrange lab`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_description.h"
#include "lab/import/import_kinds.h"
#include "lab/run/lab_run.h"

namespace hashrange {

struct LabLine {
  enum class Command {
    kRun,
    kExplain,
    kCheck,
    kInit,
    kImport,
    kSchema,
    kNothing,  // the text is printed already: exit with `exit_code`
  };
  Command command = Command::kNothing;
  int exit_code = 0;

  std::string file;  // the lab file; "-": stdin, or stdout of kInit
  // Of kImport: the models, their kind where it is given, and the lab file; empty: stdout.
  std::vector<std::string> models;
  std::optional<ImportKind> kind;
  std::string out;
  bool overwrites = false;
  // Of kExplain, only `only_layouts` counts. The scales ascend.
  LabRunOptions options;
  // A file for the page, and one for the JSON; empty: stdout, in place of the text; nothing: none.
  std::optional<std::string> html;
  std::optional<std::string> json;
};

// Returns what the arguments ask for; `argv` begins with "lab". Prints the help to stdout when the
// user asks for it, and one line to stderr when an argument is wrong (exit code 2).
LabLine ParseLabLine(int argc, const char* const* argv);

// Returns the commands of `hashrange lab` and their options.
CommandDescription DescribeLab();

}  // namespace hashrange
