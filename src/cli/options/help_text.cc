#include "cli/options/help_text.h"

#include <algorithm>
#include <vector>

namespace hashrange {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kTextColumn = 30;

// The number of characters of UTF-8.
std::size_t Width(std::string_view text) {
  std::size_t width = 0;
  for (const char byte : text) width += (byte & 0xC0) != 0x80;
  return width;
}

// Appends words; lines after the first are indented by `kTextColumn`.
void AppendWrapped(std::string_view words, std::string& text) {
  std::size_t column = kTextColumn;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    if (column > kTextColumn && column + 1 + Width(word) > kColumns) {
      text += '\n';
      text.append(kTextColumn, ' ');
      column = kTextColumn;
    } else if (column > kTextColumn) {
      text += ' ';
      ++column;
    }
    text += word;
    column += Width(word);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  text += '\n';
}

void AppendRow(const std::string& left, std::string_view right, std::string& text) {
  const std::string begin = "  " + left;
  text += begin;
  if (Width(begin) + 2 > kTextColumn) {
    text += '\n';
    text.append(kTextColumn, ' ');
  } else {
    text.append(kTextColumn - Width(begin), ' ');
  }
  AppendWrapped(right, text);
}

void AppendOptions(const char* title, const std::vector<OptionRow>& options, std::string& text) {
  if (options.empty()) return;
  text += std::string("\n") + title + ":\n";
  for (const OptionRow& option : options) {
    AppendRow(OptionForm(option), OptionText(option), text);
  }
}

}  // namespace

std::string OptionForm(const OptionRow& option) {
  std::string form = JoinWords(option.Names(), ", ");
  if (option.is_argument()) return option.may_repeat() ? form + "..." : form;
  if (option.value.empty()) return form;
  if (option.rules.value_is_joined) return form + "[=" + option.value + "]";
  return form + (option.rules.value_is_optional ? " [" + option.value + "]" : " " + option.value);
}

std::string UsageOf(const CommandRow& command) {
  std::string usage = command.path + " [OPTIONS]";
  for (const OptionRow& argument : command.arguments) {
    const std::string form = OptionForm(argument);
    usage += argument.rules.is_required ? " " + form : " [" + form + "]";
  }
  if (!command.commands.empty()) usage += command.question.empty() ? " [COMMAND]" : " COMMAND";
  return usage;
}

std::string OptionText(const OptionRow& option) {
  std::vector<std::string> notes;
  if (!option.rules.default_value.empty())
    notes.push_back("default: " + option.rules.default_value);
  if (option.rules.is_required && !option.is_argument()) notes.emplace_back("required");
  if (option.may_repeat() && !option.is_argument())
    notes.emplace_back("may be given several times");
  if (!option.rules.needs.empty())
    notes.push_back("needs " + JoinWords(option.rules.needs, " and "));
  if (!option.rules.excludes.empty())
    notes.push_back("not with " + JoinWords(option.rules.excludes, " or "));
  if (notes.empty()) return option.help;
  std::string text = option.help;
  const bool tells_default = text.ends_with(')') && text.rfind("(default: ") != text.npos;
  if (tells_default) text.pop_back();
  return text + (tells_default ? "; " : " (") + JoinWords(notes, "; ") + ")";
}

std::string_view FirstClause(std::string_view help) {
  std::size_t end = help.size();
  for (const std::string_view stop : {"; ", ": ", " (", ". "}) end = std::min(end, help.find(stop));
  return help.substr(0, end);
}

std::string HelpText(const CommandRow& command) {
  std::string text = command.help + "\n\nUsage: " + UsageOf(command) + "\n";
  AppendOptions("Arguments", command.arguments, text);
  AppendOptions("Options", command.options, text);
  if (!command.commands.empty()) text += "\nCommands:\n";
  for (const CommandRow& below : command.commands) {
    AppendRow(below.Name(), below.help, text);
  }
  if (!command.footer.empty()) text += "\n" + command.footer + "\n";
  return text;
}

}  // namespace hashrange
