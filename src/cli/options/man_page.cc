#include "cli/options/man_page.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "cli/options/help_text.h"

namespace hashrange {
namespace {

// What no row of a command knows: what the program reads besides its command line, and how it ends.
struct ManEntry {
  std::string_view term;  // empty: a paragraph
  std::string_view text;
};

struct ManSection {
  std::string_view title;
  std::span<const ManEntry> entries;
};

constexpr ManEntry kDescription[] = {
    {"",
     "Hashrange answers the calls of Amazon's DynamoDB and DynamoDB Streams, so it serves as the "
     "local endpoint of any AWS SDK, as the backend of a test suite, and to measure a layout of "
     "keys. The data is in memory, and is gone when the server stops, unless --data names a "
     "directory."},
    {"",
     "Without a command, the program serves. The commands ctl and lab have commands of their own. "
     "Each command has the option --help, and hashrange --version prints the version."},
};

constexpr ManEntry kEnvironment[] = {
    {"HASHRANGE_TOKEN",
     "The token of the control API: the server answers only callers that send it, and ctl sends "
     "it, as does mcp to an endpoint. The options --control-token and --control-token-file of "
     "serve, "
     "and --token of ctl and mcp, come first."},
    {"HASHRANGE_HOST", "The address on which serve listens. The option --host comes first."},
    {"HASHRANGE_ENDPOINT",
     "The server that ctl calls, as http://HOST:PORT. The options --endpoint, --host and --port "
     "come first."},
};

constexpr ManEntry kExitStatus[] = {
    {"0", "The command did what it was asked for; a server was ended by a signal."},
    {"1",
     "A server could not start or keep its data; there is no healthy server, or it refuses; check "
     "found damage; a copy failed or differs; lab check found a limit that does not hold; lab run "
     "could not go on at an endpoint; ctl measure compare or check found "
     "something."},
    {"2",
     "The command line is wrong, a directory cannot be opened, a lab file is wrong, or there is no "
     "verdict. A sentence on stderr says why."},
    {"130", "The lab or a copy was interrupted."},
};

constexpr ManEntry kSignals[] = {
    {"SIGINT, SIGTERM",
     "End a server, also while it loads its data or a seed; what was answered stays in the "
     "directory of --data. End ctl requests --follow and mcp."},
    {"SIGINT",
     "Ends lab run and lab check, which first remove what they have made at an endpoint and report "
     "what was done until then."},
    {"SIGINT, SIGTERM", "End copy, which says how far it has come and how to continue."},
};

constexpr ManEntry kFiles[] = {
    {"DIR of --data",
     "The directory of a server's tables. Its file HASHRANGE.lock is locked while a server uses "
     "it. Only one server at a time can."},
    {"NAME.table.json, NAME.jsonl, NAME.json, NAME.csv",
     "In a folder for --seed or ctl seed: the definition of a table as a CreateTable request, and "
     "the items of the table."},
    {"hashrange-copy.state",
     "How far a copy has come, in the folder that it writes or else the present one, until it is "
     "complete."},
    {"lab.yaml", "What lab init writes unless a file is named."},
};

constexpr ManSection kAfterCommands[] = {
    {"ENVIRONMENT", kEnvironment},
    {"EXIT STATUS", kExitStatus},
    {"SIGNALS", kSignals},
    {"FILES", kFiles},
};

constexpr ManEntry kSeeAlso[] = {
    {"",
     "aws(1), and the project's documents: docs/testing.md, docs/control-api.md, "
     "docs/seed-and-dump.md, docs/copy.md, docs/data-directory.md, docs/measuring.md, "
     "docs/partitions.md, docs/lab.md, docs/agents.md."},
};

constexpr std::size_t kLineCharacters = 78;

struct EscapeRow {
  char character;
  std::string_view roff;
};
// The characters that roff takes for something else, or prints as a look-alike.
constexpr EscapeRow kEscapes[] = {
    {'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
    {'^', "\\(ha"}, {'~', "\\(ti"}, {'"', "\\(dq"},
};

// Removes the first character from `text`, which is valid UTF-8, and returns its code point.
std::uint32_t TakeCodePoint(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t code_point = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (const char byte : text.substr(1, bytes - 1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  }
  text.remove_prefix(std::min(bytes, text.size()));
  return code_point;
}

std::string Bold(std::string_view text) { return "\\fB" + RoffText(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + RoffText(text) + "\\fR"; }

void AppendManTitle(std::string_view title, std::string& page) {
  page += ".SH " + std::string(title) + "\n";
}

// "Hashrange: an in-memory … server." → "an in-memory … server"
std::string_view Summary(std::string_view help) {
  const std::size_t begin = help.find(": ");
  if (begin != help.npos) help.remove_prefix(begin + 2);
  if (help.ends_with('.')) help.remove_suffix(1);
  return help;
}

void AppendManEntries(std::span<const ManEntry> entries, std::string& page) {
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

void AppendManUsage(const CommandRow& command, std::string& page) {
  page += Bold(command.path) + " [" + Italic("OPTIONS") + "]";
  for (const OptionRow& argument : command.arguments) {
    const std::string form = Italic(OptionForm(argument));
    page += argument.rules.is_required ? " " + form : " [" + form + "]";
  }
  if (!command.question.empty()) page += " " + Italic("COMMAND");
  page += "\n";
}

// "hashrange" and "hashrange serve" are one line: hashrange [serve] [OPTIONS].
void AppendManSynopsis(const CommandRow& program, std::string& page) {
  AppendManTitle("SYNOPSIS", page);
  page += Bold(program.path) + " [" + Bold("serve") + "] [" + Italic("OPTIONS") + "]\n";
  for (const CommandRow& command : program.commands) {
    if (command.Name() == "serve") continue;
    page += ".br\n";
    AppendManUsage(command, page);
  }
}

void AppendManOption(const OptionRow& option, std::string& page) {
  std::string form;
  for (const std::string& name : option.Names()) {
    form += (form.empty() ? "" : ", ") + (option.is_argument() ? Italic(name) : Bold(name));
  }
  if (option.takes_value()) {
    const std::string value = Italic(option.value);
    form += option.rules.value_is_joined     ? "[=" + value + "]"
            : option.rules.value_is_optional ? " [" + value + "]"
                                             : " " + value;
  }
  page += ".TP\n" + form + "\n";
  AppendRoffLines(OptionText(option), page);
}

bool IsHelp(const OptionRow& option) { return option.name == "--help"; }

void AppendManCommand(const CommandRow& command, std::string& page) {
  page += ".SS " + RoffText(UsageOf(command)) + "\n";
  AppendRoffLines(command.help + (command.help.ends_with('.') ? "" : "."), page);
  for (const OptionRow& argument : command.arguments) AppendManOption(argument, page);
  for (const OptionRow& option : command.options) {
    if (!IsHelp(option)) AppendManOption(option, page);
  }
  std::string prose;
  for (const std::string& line : FooterLines(command.footer, false)) {
    prose += (prose.empty() ? "" : " ") + line;
  }
  if (!prose.empty()) {
    page += ".PP\n";
    AppendRoffLines(prose, page);
  }
  for (const CommandRow& below : command.commands) AppendManCommand(below, page);
}

// Appends the examples of the command and of those below, with a blank line between two commands.
void AppendManExamples(const CommandRow& command, std::string& lines) {
  const std::vector<std::string> examples = FooterLines(command.footer, true);
  if (!examples.empty() && !lines.empty()) lines += ".sp\n";
  for (const std::string& line : examples) lines += RoffText(line) + "\n";
  for (const CommandRow& below : command.commands) AppendManExamples(below, lines);
}

}  // namespace

std::string RoffText(std::string_view text) {
  std::string roff = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  while (!text.empty()) {
    const std::uint32_t code_point = TakeCodePoint(text);
    if (code_point >= 0x80) {
      char escaped[16];
      std::snprintf(escaped, sizeof(escaped), "\\[u%04X]", code_point);
      roff += escaped;
      continue;
    }
    const char character = static_cast<char>(code_point);
    const auto* const row = std::ranges::find(kEscapes, character, &EscapeRow::character);
    if (row == std::end(kEscapes)) {
      roff += character;
    } else {
      roff += row->roff;
    }
  }
  return roff;
}

void AppendRoffLines(std::string_view words, std::string& page) {
  std::size_t column = 0;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const bool is_path = words.substr(0, end).find('/') != words.npos;
    const std::string word = (is_path ? "\\%" : "") + RoffText(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
    if (column > 0 && column + 1 + word.size() > kLineCharacters) {
      page += '\n';
      column = 0;
    } else if (column > 0) {
      page += ' ';
      ++column;
    }
    page += word;
    column += word.size();
  }
  if (column > 0) page += '\n';
}

std::string ManPage(const CommandRow& program, std::string_view version) {
  std::string page = ".\\\" Written by `hashrange man`.\n.TH HASHRANGE 1 " + std::string(kManDate) +
                     " \"Hashrange " + std::string(version) + "\"\n";
  AppendManTitle("NAME", page);
  page += "hashrange \\- ";
  AppendRoffLines(Summary(program.help), page);
  AppendManSynopsis(program, page);
  AppendManTitle("DESCRIPTION", page);
  AppendManEntries(kDescription, page);
  AppendManTitle("COMMANDS", page);
  for (const CommandRow& command : program.commands) AppendManCommand(command, page);
  for (const ManSection& section : kAfterCommands) {
    AppendManTitle(section.title, page);
    AppendManEntries(section.entries, page);
  }
  AppendManTitle("EXAMPLES", page);
  std::string examples;
  AppendManExamples(program, examples);
  page += ".EX\n" + examples + ".EE\n";
  AppendManTitle("SEE ALSO", page);
  AppendManEntries(kSeeAlso, page);
  return page;
}

}  // namespace hashrange
