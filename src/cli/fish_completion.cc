#include <string>
#include <string_view>

#include "cli/completion.h"
#include "cli/option_text.h"

namespace hashrange {
namespace {

constexpr const char* kBegin =
    R"sh(# Completion of hashrange in fish, written by `hashrange completion fish`.
#
#   hashrange completion fish | source

# Prints the command that the words before the cursor name.
function __hashrange_command
    set -l command hashrange
    set -l words (commandline -opc)
    set -e words[1]
    set -l is_value 0
    for word in $words
        if test $is_value = 1
            set is_value 0
        else if string match -q -- '-*' $word
            if contains -- "$command $word" $__hashrange_valued
                set is_value 1
            end
        else if contains -- "$command $word" $__hashrange_commands
            set command "$command $word"
        end
    end
    echo $command
end

function __hashrange_at
    test (__hashrange_command) = "$argv[1]"
end

complete -c hashrange -f
)sh";

using Offer = OptionDescription::Offer;

// Returns the text in single quotes, as fish reads it: it's → 'it\'s'.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char byte : text) {
    if (byte == '\'' || byte == '\\') quoted += '\\';
    quoted += byte;
  }
  return quoted + "'";
}

std::string Condition(const CommandDescription& command) {
  return "complete -c hashrange -n " + Quoted("__hashrange_at " + Quoted(command.path));
}

// The arguments of `complete` by which fish offers a value.
std::string OfferArguments(const OptionDescription& option) {
  if (option.offer == Offer::kFiles) return " -F";
  if (option.offer == Offer::kDirectories) return " -f -a '(__fish_complete_directories)'";
  if (option.words.empty()) return " -f";
  std::string words;
  for (const std::string& word : option.words) words += (words.empty() ? "" : " ") + word;
  return " -f -a " + Quoted(words);
}

void AppendOption(const OptionDescription& option, const std::string& condition,
                  std::string& script) {
  script += condition;
  for (const std::string& name : option.names) {
    script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  // An optional value is offered among the arguments: fish would only offer it after "=".
  if (option.takes_value() && !option.value_is_optional) script += " -r" + OfferArguments(option);
  script += " -d " + Quoted(FirstClause(option.help)) + "\n";
}

void AppendCommand(const CommandDescription& command, std::string& script) {
  const std::string condition = Condition(command);
  for (const CommandDescription& below : command.commands) {
    script +=
        condition + " -a " + Quoted(below.Name()) + " -d " + Quoted(FirstClause(below.help)) + "\n";
  }
  for (const OptionDescription& argument : command.arguments) {
    if (argument.offer != Offer::kNothing) {
      script += condition + OfferArguments(argument) + "\n";
    }
  }
  for (const OptionDescription& option : command.AllOptions()) {
    AppendOption(option, condition, script);
  }
  for (const CommandDescription& below : command.commands) AppendCommand(below, script);
}

void AppendCommandPaths(const CommandDescription& command, std::string& script) {
  for (const CommandDescription& below : command.commands) {
    script += " \\\n    " + Quoted(below.path);
    AppendCommandPaths(below, script);
  }
}

void AppendValuedOptions(const CommandDescription& command, std::string& script) {
  for (const OptionDescription& option : command.AllOptions()) {
    if (!option.takes_value() || option.value_is_optional) continue;
    for (const std::string& name : option.names) {
      script += " \\\n    " + Quoted(command.path + " " + name);
    }
  }
  for (const CommandDescription& below : command.commands) AppendValuedOptions(below, script);
}

}  // namespace

std::string FishCompletion(const CommandDescription& program) {
  std::string script = kBegin;
  script += "\nset -g __hashrange_commands";
  AppendCommandPaths(program, script);
  script += "\n\n# The options that the next word is the value of.\nset -g __hashrange_valued";
  AppendValuedOptions(program, script);
  script += "\n\n";
  AppendCommand(program, script);
  return script;
}

}  // namespace hashrange
