#include "cli/help_text.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/option_text.h"

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

void AppendOptions(const char* title, const std::vector<OptionDescription>& options,
                   std::string& text) {
  if (options.empty()) return;
  text += std::string("\n") + title + ":\n";
  for (const OptionDescription& option : options) {
    AppendRow(OptionForm(option), OptionText(option), text);
  }
}

}  // namespace

std::string HelpText(const CommandDescription& command) {
  std::string text = command.help + "\n\nUsage: " + UsageOf(command) + "\n";
  AppendOptions("Arguments", command.arguments, text);
  AppendOptions("Options", command.options, text);
  if (!command.commands.empty()) text += "\nCommands:\n";
  for (const CommandDescription& below : command.commands) {
    AppendRow(below.Name(), below.help, text);
  }
  if (!command.footer.empty()) text += "\n" + command.footer + "\n";
  return text;
}

void UseHelpText(CLI::App& app) {
  app.formatter_fn([](const CLI::App* asked, const std::string& path, CLI::AppFormatMode) {
    return HelpText(DescribeCommand(*asked, path));
  });
}

}  // namespace hashrange
