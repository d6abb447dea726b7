// The command line of the program: the command and its options. The commands `console`
// (console_command.h), `copy` (copy_command.h), `ctl` (ctl/ctl.h), `lab` (lab_line.h) and `mcp`
// (mcp_command.h) have command lines of their own: their many rows would slow down the start of a
// server.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/command_row.h"
#include "hashrange/database.h"
#include "hashrange/server.h"

namespace hashrange {

struct CommandLine {
  enum class Command {
    kServe,
    kHealthcheck,
    kCheck,
    kCompact,
    kRepair,
    kCompletion,
    kMan,
    kNothing,  // the text is printed already: exit with `exit_code`
  };
  Command command = Command::kServe;
  int exit_code = 0;

  // What serve opens and serves. Without --max-memory, the bound is −1 until the database is opened
  // (serving_process.cc). Check, compact and repair work on the data directory; healthcheck asks at
  // the address of the server.
  Database::Options database = {.max_memory_bytes = -1};
  Server::Options server = {.console = "on"};
  std::string log_level = "info";  // debug, info, warning or error
  std::string seed = {};           // a file or folder to load before serving; empty: none
  std::string seed_account = {};   // 12 digits; empty: the default account
  std::string seed_region = {};    // empty: the default Region
  int ready_fd = -1;               // a descriptor open for writing; −1: not given
  bool exits_with_parent = false;
  int parent = 0;  // for exits_with_parent: the process; 0: the server's parent
  std::string control_token_file = {};  // empty: not given
  std::string shell = {};               // of kCompletion: bash, zsh or fish
};

// Returns what the arguments ask for; not for `console`, `copy`, `ctl`, `lab` and
// `mcp`. A command line of
// DynamoDB Local is understood, too (dynamodb_local_line.h). Prints the help or the version to
// stdout when the user asks for it, and one line to stderr when an argument is wrong (exit code 2).
CommandLine ParseCommandLine(int argc, const char* const* argv);

// Returns the whole program with all commands and options, complete (CompleteRow), for texts: no
// variable gets their values.
CommandRow DescribeProgram();

// `hashrange completion SHELL`: prints the completion script for bash, zsh or fish. Returns the
// exit code: 1 if stdout cannot be written.
int RunCompletion(const std::string& shell);

// `hashrange man`: prints the man page. Returns the exit code: 1 if stdout cannot be written.
int RunMan();

// Returns the version, in the form "1.2.3".
std::string_view ProgramVersion();

}  // namespace hashrange
