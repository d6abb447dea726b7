#include "cli/man_page.h"

#include <algorithm>
#include <span>
#include <vector>

#include "cli/man_sections.h"
#include "cli/option_text.h"
#include "cli/roff_text.h"

namespace hashrange {
namespace {

std::string Bold(std::string_view text) { return "\\fB" + RoffText(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + RoffText(text) + "\\fR"; }

void AppendSection(std::string_view title, std::string& page) {
  page += ".SH " + std::string(title) + "\n";
}

// "Hashrange: an in-memory … server." → "an in-memory … server"
std::string_view Summary(std::string_view help) {
  const std::size_t begin = help.find(": ");
  if (begin != help.npos) help.remove_prefix(begin + 2);
  if (help.ends_with('.')) help.remove_suffix(1);
  return help;
}

void AppendEntries(std::span<const ManEntry> entries, std::string& page) {
  for (std::size_t at = 0; at < entries.size(); ++at) {
    const ManEntry& entry = entries[at];
    if (!entry.term.empty()) {
      page += ".TP\n" + Bold(entry.term) + "\n";
    } else if (at > 0) {
      page += ".PP\n";
    }
    AppendRoffLines(entry.text, page);
  }
}

// Returns the lines of a footer that are examples, without their indent, or those that are not.
std::vector<std::string> FooterLines(std::string_view footer, bool wants_examples) {
  std::vector<std::string> lines;
  while (!footer.empty()) {
    const std::size_t end = std::min(footer.find('\n'), footer.size());
    std::string_view line = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 1, footer.size()));
    const bool is_example = line.starts_with("  ");
    const bool is_title = line == "Example:" || line == "Examples:";
    if (is_title || is_example != wants_examples) continue;
    lines.emplace_back(is_example ? line.substr(2) : line);
  }
  return lines;
}

void AppendUsage(const CommandDescription& command, std::string& page) {
  page += Bold(command.path) + " [" + Italic("OPTIONS") + "]";
  for (const OptionDescription& argument : command.arguments) {
    const std::string form = Italic(OptionForm(argument));
    page += argument.is_required ? " " + form : " [" + form + "]";
  }
  if (command.needs_command) page += " " + Italic("COMMAND");
  page += "\n";
}

// "hashrange" and "hashrange serve" are one line: hashrange [serve] [OPTIONS].
void AppendSynopsis(const CommandDescription& program, std::string& page) {
  AppendSection("SYNOPSIS", page);
  page += Bold(program.path) + " [" + Bold("serve") + "] [" + Italic("OPTIONS") + "]\n";
  for (const CommandDescription& command : program.commands) {
    if (command.Name() == "serve") continue;
    page += ".br\n";
    AppendUsage(command, page);
  }
}

void AppendOption(const OptionDescription& option, std::string& page) {
  std::string form;
  for (const std::string& name : option.names) {
    form += (form.empty() ? "" : ", ") + (option.is_argument ? Italic(name) : Bold(name));
  }
  if (option.takes_value()) {
    const std::string value = Italic(option.value);
    form += option.value_is_joined     ? "[=" + value + "]"
            : option.value_is_optional ? " [" + value + "]"
                                       : " " + value;
  }
  page += ".TP\n" + form + "\n";
  AppendRoffLines(OptionText(option), page);
}

bool IsHelp(const OptionDescription& option) { return option.names.back() == "--help"; }

void AppendCommand(const CommandDescription& command, std::string& page) {
  page += ".SS " + RoffText(UsageOf(command)) + "\n";
  AppendRoffLines(command.help + (command.help.ends_with('.') ? "" : "."), page);
  for (const OptionDescription& argument : command.arguments) AppendOption(argument, page);
  for (const OptionDescription& option : command.options) {
    if (!IsHelp(option)) AppendOption(option, page);
  }
  std::string prose;
  for (const std::string& line : FooterLines(command.footer, false)) {
    prose += (prose.empty() ? "" : " ") + line;
  }
  if (!prose.empty()) {
    page += ".PP\n";
    AppendRoffLines(prose, page);
  }
  for (const CommandDescription& below : command.commands) AppendCommand(below, page);
}

// Appends the examples of the command and of those below, with a blank line between two commands.
void AppendExamples(const CommandDescription& command, std::string& lines) {
  const std::vector<std::string> examples = FooterLines(command.footer, true);
  if (!examples.empty() && !lines.empty()) lines += ".sp\n";
  for (const std::string& line : examples) lines += RoffText(line) + "\n";
  for (const CommandDescription& below : command.commands) AppendExamples(below, lines);
}

}  // namespace

std::string ManPage(const CommandDescription& program, std::string_view version) {
  std::string page = ".\\\" Written by `hashrange man`.\n.TH HASHRANGE 1 " + std::string(kManDate) +
                     " \"Hashrange " + std::string(version) + "\"\n";
  AppendSection("NAME", page);
  page += "hashrange \\- ";
  AppendRoffLines(Summary(program.help), page);
  AppendSynopsis(program, page);
  AppendSection("DESCRIPTION", page);
  AppendEntries(ManDescription(), page);
  AppendSection("COMMANDS", page);
  for (const CommandDescription& command : program.commands) AppendCommand(command, page);
  for (const ManSection& section : ManSectionsAfterCommands()) {
    AppendSection(section.title, page);
    AppendEntries(section.entries, page);
  }
  AppendSection("EXAMPLES", page);
  std::string examples;
  AppendExamples(program, examples);
  page += ".EX\n" + examples + ".EE\n";
  AppendSection(ManSeeAlso().title, page);
  AppendEntries(ManSeeAlso().entries, page);
  return page;
}

}  // namespace hashrange
