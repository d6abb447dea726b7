#include <string>
#include <string_view>

#include "cli/completion.h"
#include "cli/option_text.h"

namespace hashrange {
namespace {

// zsh takes the file for the command's completion by its first line, when its name is _hashrange
// and its folder is in fpath; the last lines also allow `source <(hashrange completion zsh)`.
constexpr const char* kBegin = R"sh(#compdef hashrange
# Completion of hashrange in zsh, written by `hashrange completion zsh`. Either put it into a folder
# of $fpath as _hashrange, or, after compinit:
#
#   source <(hashrange completion zsh)

)sh";

constexpr const char* kEnd = R"sh(if [[ $funcstack[1] == _hashrange ]]; then
  _hashrange "$@"
else
  compdef _hashrange hashrange
fi
)sh";

using Offer = OptionDescription::Offer;

// Returns the text with a backslash before each of some characters.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char byte : text) {
    if (special.find(byte) != special.npos) escaped += '\\';
    escaped += byte;
  }
  return escaped;
}

// ":FILE:_files", the part of a specification about a value.
std::string ValueSpec(const OptionDescription& option) {
  const std::string& name = option.is_argument ? option.names.front() : option.value;
  std::string spec = (option.value_is_optional ? "::" : ":") + Escaped(name, ":\\") + ":";
  if (option.offer == Offer::kFiles) return spec + "_files";
  if (option.offer == Offer::kDirectories) return spec + "_files -/";
  // A blank shows the name; with it, zsh would not insert an option in place of an argument.
  if (option.words.empty()) return spec + (option.is_argument ? "true" : " ");
  spec += "(";
  for (const std::string& word : option.words) {
    spec += (spec.ends_with('(') ? "" : " ") + Escaped(word, ":\\ ()");
  }
  return spec + ")";
}

// '(-h --help)--help[Print this help]', a specification for each name of an option.
void AppendOption(const OptionDescription& option, std::string& script) {
  std::string others;
  for (const std::string& name : option.names) others += (others.empty() ? "" : " ") + name;
  for (const std::string& name : option.excludes) others += " " + name;
  for (const std::string& name : option.names) {
    std::string spec = option.may_repeat ? "*" : "(" + others + ")";
    spec += name;
    if (option.takes_value()) {
      spec += option.value_is_joined ? "=-" : name.starts_with("--") ? "=" : "+";
    }
    spec += "[" + Escaped(FirstClause(option.help), "[]:\\") + "]";
    if (option.takes_value()) spec += ValueSpec(option);
    script += " \\\n    " + ShellQuoted(spec);
  }
}

void AppendArgument(const OptionDescription& argument, std::string& script) {
  OptionDescription shown = argument;
  shown.value_is_optional = !argument.is_required;
  const std::string spec = ValueSpec(shown);
  script += " \\\n    " + ShellQuoted((argument.may_repeat ? "*" : "") + spec);
}

// "hashrange ctl fork" → "_hashrange_ctl_fork".
std::string FunctionOf(std::string path) {
  for (char& byte : path) byte = byte == ' ' ? '_' : byte;
  return "_" + path;
}

void AppendCommands(const CommandDescription& command, std::string& script) {
  script += "  case $state in\n    command)\n      commands=(\n";
  for (const CommandDescription& below : command.commands) {
    const std::string row =
        Escaped(below.Name(), ":") + ":" + Escaped(FirstClause(below.help), "\\");
    script += "        " + ShellQuoted(row) + "\n";
  }
  script += "      )\n      _describe -t commands command commands && ret=0\n      ;;\n";
  script += "    rest)\n      curcontext=${curcontext%:*:*}:" + command.Name() + "-$words[1]:\n";
  script += "      _call_function ret " + FunctionOf(command.path) + "_$words[1]\n";
  script += "      ;;\n  esac\n";
}

void AppendCommand(const CommandDescription& command, std::string& script) {
  const bool has_commands = !command.commands.empty();
  script += FunctionOf(command.path) + "() {\n";
  script += "  local curcontext=$curcontext state line ret=1\n  local -a commands\n";
  script += has_commands ? "  _arguments -C" : "  _arguments";
  for (const OptionDescription& option : command.AllOptions()) AppendOption(option, script);
  for (const OptionDescription& argument : command.arguments) AppendArgument(argument, script);
  if (has_commands) script += " \\\n    ': :->command' \\\n    '*:: :->rest'";
  script += " && ret=0\n";
  if (has_commands) AppendCommands(command, script);
  script += "  return ret\n}\n\n";
  for (const CommandDescription& below : command.commands) AppendCommand(below, script);
}

}  // namespace

std::string ZshCompletion(const CommandDescription& program) {
  std::string script = kBegin;
  AppendCommand(program, script);
  return script + kEnd;
}

}  // namespace hashrange
