// What a command of the program understands, as data that is read from the parser of the command
// line. The help, the man page and the completion scripts are written from it, so none of them can
// differ from what the parser accepts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hashrange {

struct OptionDescription {
  // What a shell offers as the value.
  enum class Offer : std::uint8_t { kNothing, kWords, kFiles, kDirectories };

  // "-o", "--output": short names first; one name without dashes is an argument: "FILE".
  std::vector<std::string> names;
  std::string value;  // "FILE"; empty: a flag, or an argument
  std::string help;
  std::string default_value;          // empty: none, or `help` tells it
  std::vector<std::string> needs;     // other options, sorted
  std::vector<std::string> excludes;  // other options, sorted
  bool is_argument = false;
  bool is_required = false;
  bool may_repeat = false;
  bool value_is_optional = false;
  bool value_is_joined = false;  // by "=" only: --exit-with-parent=PID
  Offer offer = Offer::kNothing;
  std::vector<std::string> words;  // for kWords

  bool takes_value() const { return !value.empty() && !is_argument; }
};

struct CommandDescription {
  std::string path;  // "hashrange ctl fork"
  std::string help;
  std::string footer;                        // lines; those with an indent are examples
  std::vector<OptionDescription> options;    // without the arguments
  std::vector<OptionDescription> arguments;  // in their order
  // Options of the commands above that may also stand after this command.
  std::vector<OptionDescription> inherited;
  std::vector<CommandDescription> commands;
  bool needs_command = false;

  // Returns the last word of `path`.
  std::string Name() const;
  // Returns `options` and `inherited`.
  std::vector<OptionDescription> AllOptions() const;
};

// Returns what a parser understands. `path` is the command as a user types it.
//
// The parser's texts follow these rules:
//   type_name("DIR")       the value's name; FILE, PATH and DIR are offered from the disk
//   type_name("[FILE]")    the value may be left out
//   type_name("[=PID]")    of a flag: the value may be left out, and is joined by "="
//   check(Validator("{a,b}"))   a validator with this description: the words a and b are offered
CommandDescription DescribeCommand(const CLI::App& app, const std::string& path);

}  // namespace hashrange
