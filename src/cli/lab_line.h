// `hashrange lab`: the command line (lab_line.cc), and what is done for it in this process: a lab
// file is read, and run, explained or checked (lab_commands.cc). Used by the first thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command_row.h"
#include "lab/endpoint/run_cost.h"
#include "lab/import/lab_import.h"
#include "lab/run/lab_run.h"

namespace hashrange {

// Where `lab run` makes the same calls, too.
struct LabEndpointLine {
  std::string url;      // empty: nowhere
  std::string region;   // empty: the Region of the URL, of the environment or of the profile
  std::string profile;  // empty: as AWS's SDKs choose it
  std::string ca_file;
  EndpointTraffic traffic;
  std::string prefix;  // of the tables; empty: one that nobody has
  std::optional<double> spend_usd;
};

// What `lab propose` is asked for.
struct LabProposeLine {
  std::string write;  // the file with the proposed layouts; empty: none
  std::int64_t most_indexes = 20;
  std::optional<double> headroom;  // nothing: the file's limit, or the usual one
  std::string tables;              // "1..3"; empty: any number
  bool skips_run = false;
};

struct LabLine {
  enum class Command {
    kRun,
    kExplain,
    kCheck,
    kPropose,
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
  LabEndpointLine endpoint;  // of kRun
  LabProposeLine propose;    // of kPropose
  // Of kRun and kExplain: the numbers that vary, "rates.submit=0.1/s..100/s".
  std::vector<std::string> varied;
  // A file for the page, and one for the JSON; empty: stdout, in place of the text; nothing: none.
  std::optional<std::string> html;
  std::optional<std::string> json;
};

// Returns what the arguments ask for; `argv` begins with "lab". Prints the help to stdout when the
// user asks for it, and one line to stderr when an argument is wrong (exit code 2).
LabLine ParseLabLine(int argc, const char* const* argv);

// Returns the commands of `hashrange lab` and their options, for texts: no variable gets their
// values.
CommandRow DescribeLab();

// lab_commands.cc: does what the line asks for and prints the result. Returns the exit code: 0 on
// success; 1 when `check` found a limit that does not hold, when a result cannot be written, and
// when the run at an endpoint could not go on; 2 when the lab file or the line is wrong, and for
// `check`, when there is no verdict; 130 when the run was interrupted, after a report of what was
// done until then.
int RunLabLine(const LabLine& line);

}  // namespace hashrange
