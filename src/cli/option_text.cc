#include "cli/option_text.h"

#include <algorithm>
#include <vector>

namespace hashrange {
namespace {

std::string Join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

}  // namespace

std::string OptionForm(const OptionDescription& option) {
  std::string form = Join(option.names, ", ");
  if (option.is_argument) return option.may_repeat ? form + "..." : form;
  if (option.value.empty()) return form;
  if (option.value_is_joined) return form + "[=" + option.value + "]";
  return form + (option.value_is_optional ? " [" + option.value + "]" : " " + option.value);
}

std::string UsageOf(const CommandDescription& command) {
  std::string usage = command.path + " [OPTIONS]";
  for (const OptionDescription& argument : command.arguments) {
    const std::string form = OptionForm(argument);
    usage += argument.is_required ? " " + form : " [" + form + "]";
  }
  if (!command.commands.empty()) usage += command.needs_command ? " COMMAND" : " [COMMAND]";
  return usage;
}

std::string OptionText(const OptionDescription& option) {
  std::vector<std::string> notes;
  if (!option.default_value.empty()) notes.push_back("default: " + option.default_value);
  if (option.is_required && !option.is_argument) notes.emplace_back("required");
  if (option.may_repeat && !option.is_argument) notes.emplace_back("may be given several times");
  if (!option.needs.empty()) notes.push_back("needs " + Join(option.needs, " and "));
  if (!option.excludes.empty()) notes.push_back("not with " + Join(option.excludes, " or "));
  if (notes.empty()) return option.help;
  std::string text = option.help;
  const bool tells_default = text.ends_with(')') && text.rfind("(default: ") != text.npos;
  if (tells_default) text.pop_back();
  return text + (tells_default ? "; " : " (") + Join(notes, "; ") + ")";
}

std::string_view FirstClause(std::string_view help) {
  std::size_t end = help.size();
  for (const std::string_view stop : {"; ", ": ", " (", ". "}) end = std::min(end, help.find(stop));
  return help.substr(0, end);
}

}  // namespace hashrange
