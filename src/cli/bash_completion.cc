#include <string>
#include <string_view>
#include <vector>

#include "cli/completion.h"

namespace hashrange {
namespace {

// The script works with the bash 3.2 of macOS, too, and without the package bash-completion.
constexpr const char* kBegin =
    R"sh(# Completion of hashrange in bash, written by `hashrange completion bash`.
#
#   source <(hashrange completion bash)

# Sets what may follow a command: its commands; its options, one a line, with what their values are;
# and what its arguments are, one a line. "?": a value may be left out. "...": it may be repeated.
_hashrange_command() {
  case $1 in
)sh";

constexpr const char* kEnd = R"sh(  esac
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

using Offer = OptionDescription::Offer;

std::string ValueOf(const OptionDescription& option) {
  if (option.offer == Offer::kFiles) return "<files>";
  if (option.offer == Offer::kDirectories) return "<directories>";
  std::string words;
  for (const std::string& word : option.words) words += (words.empty() ? "" : " ") + word;
  return words.empty() ? "<value>" : words;
}

void AppendLine(const std::string& line, std::string& lines) {
  if (!lines.empty()) lines += '\n';
  lines += line;
}

std::string OptionLines(const CommandDescription& command) {
  std::string lines;
  for (const OptionDescription& option : command.AllOptions()) {
    std::string value;
    if (option.takes_value() && !option.value_is_joined) {
      value = (option.value_is_optional ? " ? " : " ") + ValueOf(option);
    }
    for (const std::string& name : option.names) AppendLine(name + value, lines);
  }
  return lines;
}

std::string ArgumentLines(const CommandDescription& command) {
  std::string lines;
  for (const OptionDescription& argument : command.arguments) {
    AppendLine(ValueOf(argument) + (argument.may_repeat ? " ..." : ""), lines);
  }
  return lines;
}

void AppendCommand(const CommandDescription& command, std::string& script) {
  std::string names;
  for (const CommandDescription& below : command.commands) {
    names += (names.empty() ? "" : " ") + below.Name();
  }
  script += "    " + ShellQuoted(command.path) + ")\n";
  script += "      commands=" + ShellQuoted(names) + "\n";
  script += "      options=" + ShellQuoted(OptionLines(command)) + "\n";
  script += "      arguments=" + ShellQuoted(ArgumentLines(command)) + "\n";
  script += "      ;;\n";
  for (const CommandDescription& below : command.commands) AppendCommand(below, script);
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

std::string BashCompletion(const CommandDescription& program) {
  std::string script = kBegin;
  AppendCommand(program, script);
  return script + kEnd;
}

}  // namespace hashrange
