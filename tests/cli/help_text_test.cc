#include "cli/help_text.h"

#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

#include "cli/program_description.h"

namespace hashrange {
namespace {

TEST(HelpText, APageHasAllParts) {
  CLI::App app("Do something.", "program");
  UseHelpText(app);
  std::string text;
  app.footer("Example:\n  program --port 1");
  app.add_option("FILE", text, "The file")->required()->type_name("");
  app.add_option("--port", text, "Listen on this port")->type_name("PORT");
  app.add_option("--a-long-name-of-an-option", text, "Text")->type_name("NAME");
  app.add_subcommand("serve", "Serve until stopped");
  EXPECT_EQ(app.help(),
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
}

TEST(HelpText, ACommandHasItsPathAndInheritsTheForm) {
  CLI::App app("Do something.", "program");
  UseHelpText(app);
  app.require_subcommand(1);
  app.add_subcommand("serve", "Serve until stopped");
  EXPECT_NE(app.help().find("Usage: program [OPTIONS] COMMAND\n"), std::string::npos);
  app.parse("serve");
  EXPECT_EQ(app.help(),
            "Serve until stopped\n"
            "\n"
            "Usage: program serve [OPTIONS]\n"
            "\n"
            "Options:\n"
            "  -h, --help                  Print this help message and exit\n");
}

TEST(HelpText, LongTextsAreWrappedBetweenWords) {
  CommandDescription command;
  OptionDescription option;
  option.names = {"--all"};
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
std::string WideLine(const CommandDescription& command) {
  const std::string text = HelpText(command);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::size_t width = 0;
    for (const char byte : text.substr(begin, end - begin)) width += (byte & 0xC0) != 0x80;
    if (width > 100) return text.substr(begin, end - begin);
    begin = end + 1;
  }
  for (const CommandDescription& below : command.commands) {
    if (const std::string line = WideLine(below); !line.empty()) return line;
  }
  return "";
}

TEST(HelpText, NoLineOfTheProgramIsWide) { EXPECT_EQ(WideLine(DescribeProgram()), ""); }

}  // namespace
}  // namespace hashrange
