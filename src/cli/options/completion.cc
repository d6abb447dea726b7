#include "cli/options/completion.h"

#include "cli/options/help_text.h"

namespace hashrange {
namespace {

using Offer = OptionRow::Offer;

// bash

// The script works with the bash 3.2 of macOS, too, and without the package bash-completion.
constexpr const char* kBashBegin =
    R"sh(# Completion of hashrange in bash, written by `hashrange completion bash`.
#
#   source <(hashrange completion bash)

# Sets what may follow a command: its commands; its options, one a line, with what their values are;
# and what its arguments are, one a line. "?": a value may be left out. "...": it may be repeated.
_hashrange_command() {
  case $1 in
)sh";

constexpr const char* kBashEnd = R"sh(  esac
}

# Sets `value` to what the value of an option is; it is empty if there is no such option or no value.
_hashrange_option() {
  local line
  value=
  while read -r line; do
    if [[ ${line%% *} == "$1" && $line == *' '* ]]; then value=${line#* }; fi
  done <<<"$options"
}

# Adds what a word may become.
_hashrange_offer() {  # VALUE WORD
  local kind=${1#"? "} line
  kind=${kind%" ..."}
  case $kind in
    '<value>' | '') return ;;
    '<files>' | '<directories>')
      if type compopt &>/dev/null; then compopt -o filenames 2>/dev/null; fi
      [[ $kind == '<files>' ]] && kind=-f || kind=-d
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$2")
      ;;
    *) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$kind" -- "$2") ;;
  esac
}

# Adds what the argument of this number may become; 0 is the first one.
_hashrange_argument() {  # NUMBER WORD
  local line last= number=$1
  while IFS= read -r line; do
    last=$line
    if [[ $number == 0 ]]; then _hashrange_offer "$line" "$2"; return; fi
    number=$((number - 1))
  done <<<"$arguments"
  if [[ $last == *' ...' ]]; then _hashrange_offer "$last" "$2"; fi
}

# Sets `words` to the words up to the cursor. Bash cuts --option=value into three words.
_hashrange_words() {
  local each last is_glued=1
  words=()
  for each in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    last=$((${#words[@]} - 1))
    if [[ $each == [=:] && $last -ge 1 ]]; then
      words[last]+=$each is_glued=1
    elif [[ $is_glued && $last -ge 1 ]]; then
      words[last]+=$each is_glued=
    else
      words[last + 1]=$each is_glued=
    fi
  done
}

_hashrange() {
  local words path=hashrange commands options arguments value= waits= each word seen=0 i
  COMPREPLY=()
  _hashrange_words
  _hashrange_command "$path"
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    each=${words[i]}
    if [[ $waits ]]; then
      waits=
    elif [[ $each == --*=* ]]; then
      value=
    elif [[ $each == -?* ]]; then
      _hashrange_option "$each"
      if [[ $value && $value != '? '* ]]; then waits=1; fi
    elif [[ $seen == 0 && " $commands " == *" $each "* ]]; then
      path+=" $each" value=
      _hashrange_command "$path"
    elif [[ $value == '? '* ]]; then
      value=
    else
      seen=$((seen + 1))
    fi
  done
  word=${words[${#words[@]} - 1]}
  if [[ $waits ]]; then
    _hashrange_offer "$value" "$word"
  elif [[ $word == --*=* ]]; then
    _hashrange_option "${word%%=*}"
    _hashrange_offer "$value" "${word#*=}"
    if [[ $COMP_WORDBREAKS != *=* ]]; then COMPREPLY=("${COMPREPLY[@]/#/${word%%=*}=}"); fi
  elif [[ $word == -* || -z $commands$arguments ]]; then
    if [[ $value == '? '* && $word != -* ]]; then _hashrange_offer "$value" "$word"; fi
    COMPREPLY+=($(compgen -W "$(while read -r each _; do echo "$each"; done <<<"$options")" -- "$word"))
  else
    if [[ $value == '? '* ]]; then _hashrange_offer "$value" "$word"; fi
    if [[ $seen == 0 ]]; then COMPREPLY+=($(compgen -W "$commands" -- "$word")); fi
    _hashrange_argument "$seen" "$word"
  fi
}

complete -F _hashrange hashrange
)sh";

std::string BashValue(const OptionRow& option) {
  if (option.offer() == Offer::kFiles) return "<files>";
  if (option.offer() == Offer::kDirectories) return "<directories>";
  return option.rules.words.empty() ? "<value>" : JoinWords(option.rules.words, " ");
}

void AppendBashLine(const std::string& line, std::string& lines) {
  if (!lines.empty()) lines += '\n';
  lines += line;
}

std::string BashOptions(const CommandRow& command) {
  std::string lines;
  for (const OptionRow& option : command.AllOptions()) {
    std::string value;
    if (option.takes_value() && !option.rules.value_is_joined) {
      value = (option.rules.value_is_optional ? " ? " : " ") + BashValue(option);
    }
    for (const std::string& name : option.Names()) AppendBashLine(name + value, lines);
  }
  return lines;
}

std::string BashArguments(const CommandRow& command) {
  std::string lines;
  for (const OptionRow& argument : command.arguments) {
    AppendBashLine(BashValue(argument) + (argument.may_repeat() ? " ..." : ""), lines);
  }
  return lines;
}

void AppendBashCommand(const CommandRow& command, std::string& script) {
  std::string names;
  for (const CommandRow& below : command.commands) {
    names += (names.empty() ? "" : " ") + below.Name();
  }
  script += "    " + ShellQuoted(command.path) + ")\n";
  script += "      commands=" + ShellQuoted(names) + "\n";
  script += "      options=" + ShellQuoted(BashOptions(command)) + "\n";
  script += "      arguments=" + ShellQuoted(BashArguments(command)) + "\n";
  script += "      ;;\n";
  for (const CommandRow& below : command.commands) AppendBashCommand(below, script);
}

// zsh

// zsh takes the file for the command's completion by its first line, when its name is _hashrange
// and its folder is in fpath; the last lines also allow `source <(hashrange completion zsh)`.
constexpr const char* kZshBegin = R"sh(#compdef hashrange
# Completion of hashrange in zsh, written by `hashrange completion zsh`. Either put it into a folder
# of $fpath as _hashrange, or, after compinit:
#
#   source <(hashrange completion zsh)

)sh";

constexpr const char* kZshEnd = R"sh(if [[ $funcstack[1] == _hashrange ]]; then
  _hashrange "$@"
else
  compdef _hashrange hashrange
fi
)sh";

// Returns the text with a backslash before each of some characters.
std::string ZshEscaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char byte : text) {
    if (special.find(byte) != special.npos) escaped += '\\';
    escaped += byte;
  }
  return escaped;
}

// ":FILE:_files", the part of a specification about a value.
std::string ZshValue(const OptionRow& option) {
  const std::string& name = option.is_argument() ? option.name : option.value;
  std::string spec = (option.rules.value_is_optional ? "::" : ":") + ZshEscaped(name, ":\\") + ":";
  if (option.offer() == Offer::kFiles) return spec + "_files";
  if (option.offer() == Offer::kDirectories) return spec + "_files -/";
  // A blank shows the name; with it, zsh would not insert an option in place of an argument.
  if (option.rules.words.empty()) return spec + (option.is_argument() ? "true" : " ");
  spec += "(";
  for (const std::string& word : option.rules.words) {
    spec += (spec.ends_with('(') ? "" : " ") + ZshEscaped(word, ":\\ ()");
  }
  return spec + ")";
}

// '(-h --help)--help[Print this help]', a specification for each name of an option.
void AppendZshOption(const OptionRow& option, std::string& script) {
  std::string others = JoinWords(option.Names(), " ");
  for (const std::string& name : option.rules.excludes) others += " " + name;
  for (const std::string& name : option.Names()) {
    std::string spec = option.may_repeat() ? "*" : "(" + others + ")";
    spec += name;
    if (option.takes_value()) {
      spec += option.rules.value_is_joined ? "=-" : name.starts_with("--") ? "=" : "+";
    }
    spec += "[" + ZshEscaped(FirstClause(option.help), "[]:\\") + "]";
    if (option.takes_value()) spec += ZshValue(option);
    script += " \\\n    " + ShellQuoted(spec);
  }
}

void AppendZshArgument(const OptionRow& argument, std::string& script) {
  OptionRow shown = argument;
  shown.rules.value_is_optional = !argument.rules.is_required;
  const std::string spec = ZshValue(shown);
  script += " \\\n    " + ShellQuoted((argument.may_repeat() ? "*" : "") + spec);
}

// "hashrange ctl fork" → "_hashrange_ctl_fork".
std::string ZshFunction(std::string path) {
  for (char& byte : path) byte = byte == ' ' ? '_' : byte;
  return "_" + path;
}

void AppendZshCommands(const CommandRow& command, std::string& script) {
  script += "  case $state in\n    command)\n      commands=(\n";
  for (const CommandRow& below : command.commands) {
    const std::string row =
        ZshEscaped(below.Name(), ":") + ":" + ZshEscaped(FirstClause(below.help), "\\");
    script += "        " + ShellQuoted(row) + "\n";
  }
  script += "      )\n      _describe -t commands command commands && ret=0\n      ;;\n";
  script += "    rest)\n      curcontext=${curcontext%:*:*}:" + command.Name() + "-$words[1]:\n";
  script += "      _call_function ret " + ZshFunction(command.path) + "_$words[1]\n";
  script += "      ;;\n  esac\n";
}

void AppendZshCommand(const CommandRow& command, std::string& script) {
  const bool has_commands = !command.commands.empty();
  script += ZshFunction(command.path) + "() {\n";
  script += "  local curcontext=$curcontext state line ret=1\n  local -a commands\n";
  script += has_commands ? "  _arguments -C" : "  _arguments";
  for (const OptionRow& option : command.AllOptions()) AppendZshOption(option, script);
  for (const OptionRow& argument : command.arguments) AppendZshArgument(argument, script);
  if (has_commands) script += " \\\n    ': :->command' \\\n    '*:: :->rest'";
  script += " && ret=0\n";
  if (has_commands) AppendZshCommands(command, script);
  script += "  return ret\n}\n\n";
  for (const CommandRow& below : command.commands) AppendZshCommand(below, script);
}

// fish

constexpr const char* kFishBegin =
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

// Returns the text in single quotes, as fish reads it: it's → 'it\'s'.
std::string FishQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char byte : text) {
    if (byte == '\'' || byte == '\\') quoted += '\\';
    quoted += byte;
  }
  return quoted + "'";
}

std::string FishCondition(const CommandRow& command) {
  return "complete -c hashrange -n " + FishQuoted("__hashrange_at " + FishQuoted(command.path));
}

// The arguments of `complete` by which fish offers a value.
std::string FishOffer(const OptionRow& option) {
  if (option.offer() == Offer::kFiles) return " -F";
  if (option.offer() == Offer::kDirectories) return " -f -a '(__fish_complete_directories)'";
  if (option.rules.words.empty()) return " -f";
  return " -f -a " + FishQuoted(JoinWords(option.rules.words, " "));
}

void AppendFishOption(const OptionRow& option, const std::string& condition, std::string& script) {
  script += condition;
  for (const std::string& name : option.Names()) {
    script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  // An optional value is offered among the arguments: fish would only offer it after "=".
  if (option.takes_value() && !option.rules.value_is_optional) script += " -r" + FishOffer(option);
  script += " -d " + FishQuoted(FirstClause(option.help)) + "\n";
}

void AppendFishCommand(const CommandRow& command, std::string& script) {
  const std::string condition = FishCondition(command);
  for (const CommandRow& below : command.commands) {
    script += condition + " -a " + FishQuoted(below.Name()) + " -d " +
              FishQuoted(FirstClause(below.help)) + "\n";
  }
  for (const OptionRow& argument : command.arguments) {
    if (argument.offer() != Offer::kNothing) {
      script += condition + FishOffer(argument) + "\n";
    }
  }
  for (const OptionRow& option : command.AllOptions()) {
    AppendFishOption(option, condition, script);
  }
  for (const CommandRow& below : command.commands) AppendFishCommand(below, script);
}

void AppendFishPaths(const CommandRow& command, std::string& script) {
  for (const CommandRow& below : command.commands) {
    script += " \\\n    " + FishQuoted(below.path);
    AppendFishPaths(below, script);
  }
}

void AppendFishValuedOptions(const CommandRow& command, std::string& script) {
  for (const OptionRow& option : command.AllOptions()) {
    if (!option.takes_value() || option.rules.value_is_optional) continue;
    for (const std::string& name : option.Names()) {
      script += " \\\n    " + FishQuoted(command.path + " " + name);
    }
  }
  for (const CommandRow& below : command.commands) AppendFishValuedOptions(below, script);
}

}  // namespace

std::string ShellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char byte : text) {
    if (byte == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += byte;
    }
  }
  return quoted + "'";
}

std::string BashCompletion(const CommandRow& program) {
  std::string script = kBashBegin;
  AppendBashCommand(program, script);
  return script + kBashEnd;
}

std::string ZshCompletion(const CommandRow& program) {
  std::string script = kZshBegin;
  AppendZshCommand(program, script);
  return script + kZshEnd;
}

std::string FishCompletion(const CommandRow& program) {
  std::string script = kFishBegin;
  script += "\nset -g __hashrange_commands";
  AppendFishPaths(program, script);
  script += "\n\n# The options that the next word is the value of.\nset -g __hashrange_valued";
  AppendFishValuedOptions(program, script);
  script += "\n\n";
  AppendFishCommand(program, script);
  return script;
}

}  // namespace hashrange
