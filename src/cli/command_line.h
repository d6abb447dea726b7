// The command line of the program: which command, with which options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

struct CommandLine {
  enum class Command {
    kServe,
    kHealthcheck,
    kNothing,  // all is said already: leave with `exit_code`
  };
  Command command = Command::kServe;
  int exit_code = 0;

  std::string host;  // empty: not given
  std::uint16_t port = 8000;
  int threads = 0;                 // 0: not given
  std::string log_level = "info";  // debug, info, warning or error
  bool shared_tables = false;
  std::int64_t transition_ms = 0;       // from 0
  std::int64_t ttl_interval_ms = 1000;  // from 0
  int stream_shards = 1;                // from 1 to 256
  std::string seed;                     // a file or folder to load before serving; empty: none
  std::string seed_account;             // 12 digits; empty: the default account
  std::string seed_region;              // empty: the default Region
  std::uint64_t stream_buffer_bytes = 256 << 20;
  int ready_fd = -1;  // a descriptor open for writing; −1: not given
  bool exits_with_parent = false;
  int parent = 0;                  // the process to end with; 0: whoever is the parent
  std::string control_token;       // empty: not given
  std::string control_token_file;  // empty: not given
  std::vector<std::string> files;
  std::vector<std::string> cors;
  std::vector<std::string> allowed_hosts;
  std::uint64_t request_memory_bytes = 256 << 20;
  int max_connections = 0;  // 0: not given
  bool metrics = false;
};

// What the user asked for, of every command but `ctl` (ctl.h). Prints the help or the version to
// stdout when they are asked for, and one line to stderr when something is wrong (exit code 2).
CommandLine ParseCommandLine(int argc, const char* const* argv);

// The token of --control-token, of the file that --control-token-file names, or of the variable
// HASHRANGE_TOKEN, in this order; empty when none of them is given.
// Errors: `*error` is set when the file cannot be read or holds no token: a server that was meant
//         to be guarded must not run without a guard.
std::string ReadControlToken(const CommandLine& line, std::string* error);

// "0.1.0"
std::string_view ProgramVersion();

}  // namespace hashrange
