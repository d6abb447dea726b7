// Rows of a command line: what each command of the program understands, as data. The parser
// (command_parser.h), the help, the man page and the completion scripts are made of the same rows,
// so none of them can differ from what the program accepts.
//
//   CommandRow{.path = "hashrange copy",
//              .help = "Copy tables between endpoints, or from and into folders.",
//              .options = {{"--prefix", "TEXT", "Begin all other names with this", &line.prefix},
//                          {"--segments", "N", "How many parallel scans read a table",
//                           &line.segments, OptionRules{.range = NumberRange{1, 32}}}}}
//
// Values without locks. The variables that rows point to outlive the parsing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hashrange {

// Returns what is wrong with the text of a value, as the sentence behind the option's name; empty:
// nothing. A check may also keep what it reads.
using ValueCheck = std::function<std::string(const std::string& text)>;

// The variable that gets the value of an option. A list gets one value each time the option is
// given; a function gets the text; without a target, only the option's check sees the value.
using OptionTarget =
    std::variant<std::monostate, bool*, int*, std::uint16_t*, std::int64_t*, std::uint64_t*,
                 double*, std::optional<double>*, std::string*, std::optional<std::string>*,
                 std::vector<std::string>*, std::function<void(const std::string&)>>;
inline constexpr std::monostate kNoTarget;

struct NumberRange {
  std::int64_t least;
  std::int64_t greatest;
};

// What holds for some options.
struct OptionRules {
  enum class Form : std::uint8_t {
    kText,
    kSize,        // "256MB", which becomes a number of bytes
    kSizeOrNone,  // likewise, or "none", which becomes 0
  };

  std::string short_name = {};     // "-o"
  std::string default_value = {};  // empty: there is none, or the help tells it
  Form form = Form::kText;
  std::optional<NumberRange> range = {};
  std::vector<std::string> words = {};  // a shell offers them
  bool takes_only_words = false;
  ValueCheck check = {};
  std::vector<std::string> needs = {};     // other options, sorted
  std::vector<std::string> excludes = {};  // likewise; one of the two rows is enough
  bool is_required = false;
  bool value_is_optional = false;
  bool value_is_joined = false;      // by "=" only: --exit-with-parent=PID
  bool splits_at_commas = false;     // of a list
  bool repeats_unannounced = false;  // it may be repeated for its check, and the help says so
};

// An option; a flag, which has no value; or an argument, whose name has no dashes.
struct OptionRow {
  // What a shell offers as the value.
  enum class Offer : std::uint8_t { kNothing, kWords, kFiles, kDirectories };

  std::string name = {};   // "--output", "FILE"
  std::string value = {};  // "FILE" and "DIR" are offered from the disk
  std::string help = {};
  OptionTarget target = {};
  OptionRules rules = {};

  bool is_argument() const { return !name.starts_with('-'); }
  bool takes_value() const { return !value.empty() && !is_argument(); }
  bool may_repeat() const { return std::holds_alternative<std::vector<std::string>*>(target); }
  Offer offer() const;
  // Returns the short name, if there is one, and the name.
  std::vector<std::string> Names() const;
};

struct CommandRow {
  // "hashrange ctl"; of a row within another one only its name, "fork", until CompleteRow().
  std::string path = {};
  std::string help = {};
  std::string footer = {};                // lines; those with an indent are examples
  std::vector<OptionRow> arguments = {};  // in their order
  std::vector<OptionRow> options = {};
  std::vector<CommandRow> commands = {};
  // What is asked where none of `commands` follows; empty: none needs to follow.
  std::string question = {};
  std::string version = {};         // what --version prints; empty: there is no such option
  bool hands_options_down = false;  // the options may also stand after the commands below
  bool takes_any_arguments = false;
  bool takes_empty_texts = false;         // others refuse them: a variable of the shell is not set
  bool tells_unknown_first = false;       // where an option is unknown, and another one is wrong
  std::vector<OptionRow> inherited = {};  // what commands above hand down; by CompleteRow()

  // Returns the last word of `path`.
  std::string Name() const;
  // Returns `options` and `inherited`.
  std::vector<OptionRow> AllOptions() const;
};

// Returns the row for texts: with whole paths, --help and --version, what commands inherit, and
// `excludes` of both rows of each pair.
CommandRow CompleteRow(CommandRow row);

// Returns the words with a text between each two of them.
std::string JoinWords(const std::vector<std::string>& words, std::string_view between);

// Checks of the usual forms of values.

// Allows whole numbers from 1 to `greatest`.
ValueCheck WholeNumber(std::uint64_t greatest);

// Allows decimal numbers from `least` to 10¹². `what` says in the complaint which number it is:
// "an amount of US$".
ValueCheck NumberFrom(double least, std::string_view what);

// Allows shares above 0, as numbers or with "%".
ValueCheck Share();
// Returns the share: 0.01 for "0.01" and for "1%".
std::optional<double> ReadShare(std::string_view text);

// Allows times above 0 (base/text/time_text.h).
ValueCheck Duration();

// Allows whole numbers with commas between them.
ValueCheck Scales(std::uint64_t greatest);
// Returns the numbers of a text that Scales allows: ascending, each once.
std::vector<std::uint64_t> ReadScales(std::string_view text);

// Returns the words of a list with commas between them, without empty words.
std::vector<std::string> WordsIn(std::string_view list);

// Allows 12 digits.
ValueCheck Account();

}  // namespace hashrange
