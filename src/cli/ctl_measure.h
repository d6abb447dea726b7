// `hashrange ctl measure`: measurements from a terminal or a script. Used by ctl.cc, by one thread.
#pragma once

#include <span>
#include <string_view>

#include "cli/measure_commands.h"

namespace CLI {
class App;
}

namespace hashrange {

// The command line of `measure` with its commands. The parser of `ctl` keeps pointers into it.
class MeasureCommand {
 public:
  // Adds `measure` to the commands of `ctl`.
  explicit MeasureCommand(CLI::App& ctl);
  MeasureCommand(const MeasureCommand&) = delete;
  MeasureCommand& operator=(const MeasureCommand&) = delete;

  // Returns the names of the commands of `measure`.
  static std::span<const std::string_view> Names();

  // Whether the parsed line has `measure`, and whether it then lacks one of its commands.
  bool is_given() const;
  bool lacks_subcommand() const;

  // Runs the command that the parsed line has. Returns the exit code of the program; after an error
  // there is a line on stderr. `server` is a call without a method and a target.
  int Run(const HttpCall& server, bool asks_for_json) const;

 private:
  CLI::App& app_;
  MeasureLine line_;  // the parser fills it in
};

}  // namespace hashrange
