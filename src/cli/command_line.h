// The command line of the program: the command and its options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_description.h"

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

  std::string host;  // empty: not given
  std::uint16_t port = 8000;
  int threads = 0;                 // 0: not given
  std::string log_level = "info";  // debug, info, warning or error
  bool shared_tables = false;
  std::int64_t transition_ms = 0;       // 0 or more
  std::int64_t ttl_interval_ms = 1000;  // 0 or more
  int stream_shards = 1;                // 1 to Database::kMaxStreamShards
  std::string seed;                     // a file or folder to load before serving; empty: none
  std::string seed_account;             // 12 digits; empty: the default account
  std::string seed_region;              // empty: the default Region
  std::uint64_t stream_buffer_bytes = 256 << 20;
  // The directory in which serve keeps its data, or which check, compact and repair work on; empty:
  // none.
  std::string data;
  // How often changes are flushed to the disk; 0: before each answer; kNeverFlushed: never.
  std::int64_t sync_interval_ms = 0;
  int ready_fd = -1;  // a descriptor open for writing; −1: not given
  bool exits_with_parent = false;
  int parent = 0;                  // for exits_with_parent: the process; 0: the server's parent
  std::string control_token;       // empty: not given
  std::string control_token_file;  // empty: not given
  std::vector<std::string> files;  // folders: Server::Options::files
  std::vector<std::string> cors;
  std::vector<std::string> allowed_hosts;
  std::uint64_t request_memory_bytes = 256 << 20;
  int max_connections = 0;             // 0: not given
  std::int64_t max_memory_bytes = -1;  // 0: no bound; −1: not given
  bool metrics = false;
  std::string shell;  // of kCompletion: bash, zsh or fish
};

// Returns what the arguments ask for; not for the commands `copy`
// (copy_line.h), `ctl` (ctl.h), `lab` (lab_line.h) and `mcp` (mcp_line.h). Prints the help or the
// version to stdout when the user asks for it, and one line to stderr when an argument is wrong
// (exit code 2).
CommandLine ParseCommandLine(int argc, const char* const* argv);

// Returns the commands and options; `copy`, `ctl`, `lab` and `mcp` have none here
// (program_description.h).
CommandDescription DescribeCommandLine();

// Returns the token of --control-token, of the file that --control-token-file names, or of the
// variable HASHRANGE_TOKEN, in this order; empty when none of them is given.
// Logs a warning when other users may read the file.
// Errors: `*error` is set when the file cannot be read or holds no token: a server that was meant
//         to be guarded must not run without a guard.
std::string ReadControlToken(const CommandLine& line, std::string* error);

// Returns the version, in the form "1.2.3".
std::string_view ProgramVersion();

}  // namespace hashrange
