#include "cli/options/help_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace hashrange {
namespace {

TEST(HelpText, APageHasAllParts) {
  const CommandRow program = CompleteRow(
      {.path = "program",
       .help = "Do something.",
       .footer = "Example:\n  program --port 1",
       .arguments = {{"FILE", "", "The file", kNoTarget, OptionRules{.is_required = true}}},
       .options = {{"--port", "PORT", "Listen on this port"},
                   {"--a-long-name-of-an-option", "NAME", "Text"}},
       .commands = {{.path = "serve", .help = "Serve until stopped"}}});
  EXPECT_EQ(HelpText(program),
            "Do something.\n"
            "\n"
            "Usage: program [OPTIONS] FILE [COMMAND]\n"
            "\n"
            "Arguments:\n"
            "  FILE                        The file\n"
            "\n"
            "Options:\n"
            "  -h, --help                  Print this help message and exit\n"
            "  --port PORT                 Listen on this port\n"
            "  --a-long-name-of-an-option NAME\n"
            "                              Text\n"
            "\n"
            "Commands:\n"
            "  serve                       Serve until stopped\n"
            "\n"
            "Example:\n"
            "  program --port 1\n");
  EXPECT_EQ(HelpText(program.commands.front()),
            "Serve until stopped\n"
            "\n"
            "Usage: program serve [OPTIONS]\n"
            "\n"
            "Options:\n"
            "  -h, --help                  Print this help message and exit\n");
}

TEST(HelpText, LongTextsAreWrappedBetweenWords) {
  CommandRow command;
  OptionRow option;
  option.name = "--all";
  for (int i = 0; i < 14; ++i) option.help += "fünf… ";  // 6 characters in 9 bytes, with the space
  option.help += "end";
  command.options = {option};
  // 11 words of 5 characters with 10 spaces are 65 characters; the twelfth would end in column 101.
  std::string eleven = "fünf…";
  for (int i = 0; i < 10; ++i) eleven += " fünf…";
  EXPECT_NE(HelpText(command).find("  --all                       " + eleven + "\n" +
                                   std::string(30, ' ') + "fünf… fünf… fünf… end\n"),
            std::string::npos)
      << HelpText(command);
}

// Returns the first line of a help that is too wide, or "".
std::string WideLine(const CommandRow& command) {
  const std::string text = HelpText(command);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::size_t width = 0;
    for (const char byte : text.substr(begin, end - begin)) width += (byte & 0xC0) != 0x80;
    if (width > 100) return text.substr(begin, end - begin);
    begin = end + 1;
  }
  for (const CommandRow& below : command.commands) {
    if (const std::string line = WideLine(below); !line.empty()) return line;
  }
  return "";
}

TEST(HelpText, NoLineOfTheProgramIsWide) { EXPECT_EQ(WideLine(DescribeProgram()), ""); }

TEST(HelpText, AnOptionIsWrittenWithItsValue) {
  OptionRow option;
  option.name = "--output";
  option.rules.short_name = "-o";
  EXPECT_EQ(OptionForm(option), "-o, --output");
  option.value = "FILE";
  EXPECT_EQ(OptionForm(option), "-o, --output FILE");
  option.rules.value_is_optional = true;
  EXPECT_EQ(OptionForm(option), "-o, --output [FILE]");
  option.rules.value_is_joined = true;
  EXPECT_EQ(OptionForm(option), "-o, --output[=FILE]");
}

TEST(HelpText, AUsageHasArgumentsAndCommands) {
  CommandRow command;
  command.path = "hashrange lab";
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS]");
  std::vector<std::string> texts;
  command.arguments = {{"FILE", "", "", kNoTarget, OptionRules{.is_required = true}},
                       {"TO", "", "", &texts}};
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS] FILE [TO...]");
  command.arguments = {};
  command.commands.resize(1);
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS] [COMMAND]");
  command.question = "which?";
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS] COMMAND");
}

TEST(HelpText, NotesFollowTheHelp) {
  OptionRow option;
  option.name = "--a";
  option.value = "N";
  option.help = "Text";
  EXPECT_EQ(OptionText(option), "Text");
  option.rules.default_value = "7";
  EXPECT_EQ(OptionText(option), "Text (default: 7)");
  std::vector<std::string> texts;
  option.target = &texts;
  option.rules.is_required = true;
  option.rules.needs = {"--b"};
  option.rules.excludes = {"--c", "--d"};
  const std::string others =
      "required; may be given several times; needs --b; not with --c or --d)";
  EXPECT_EQ(OptionText(option), "Text (default: 7; " + others);
  option.rules.default_value = "";
  option.help = "Text (default: one per core)";
  EXPECT_EQ(OptionText(option), "Text (default: one per core; " + others);
  option.name = "A";
  EXPECT_EQ(OptionText(option), "Text (default: one per core; needs --b; not with --c or --d)");
}

TEST(HelpText, TheFirstClauseEndsAtAStop) {
  EXPECT_EQ(FirstClause("Listen here; 0 picks a free one"), "Listen here");
  EXPECT_EQ(FirstClause("How often: 1s, 5m"), "How often");
  EXPECT_EQ(FirstClause("Threads (default: one per core)"), "Threads");
  EXPECT_EQ(FirstClause("One. Two: three"), "One");
  EXPECT_EQ(FirstClause("http://HOST:PORT and 1.5"), "http://HOST:PORT and 1.5");
}

}  // namespace
}  // namespace hashrange
