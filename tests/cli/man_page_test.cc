#include "cli/man_page.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/man_sections.h"

namespace hashrange {
namespace {

OptionDescription Option(std::vector<std::string> names, std::string value, std::string help) {
  OptionDescription option;
  option.names = std::move(names);
  option.value = std::move(value);
  option.help = std::move(help);
  return option;
}

CommandDescription MadeUpProgram() {
  CommandDescription program;
  program.path = "hashrange";
  program.help = "Hashrange: a made-up server.";
  program.options = {Option({"-h", "--help"}, "", "Help"), Option({"--port"}, "PORT", "The port")};
  program.footer = "Prose that\ngoes on.\nExamples:\n  hashrange --port 1\n  .hidden";
  CommandDescription check;
  check.path = "hashrange check";
  check.help = "Check it";
  check.footer = "Example:\n  hashrange check x";
  OptionDescription directory = Option({"DIR"}, "", "The directory");
  directory.is_argument = directory.is_required = true;
  check.arguments = {directory};
  OptionDescription json = Option({"--json"}, "FILE", "As JSON");
  json.value_is_optional = true;
  check.options = {json};
  program.commands = {check};
  return program;
}

// The text between a section's title and the next one.
std::string Section(const std::string& page, const std::string& title) {
  const std::size_t begin = page.find(".SH " + title + "\n");
  if (begin == page.npos) return "no such section";
  const std::size_t text = page.find('\n', begin) + 1;
  return page.substr(text, page.find(".SH ", text) - text);
}

TEST(ManPage, ItBeginsWithItsTitle) {
  EXPECT_TRUE(ManPage(MadeUpProgram(), "1.2.3")
                  .starts_with(".\\\" Written by `hashrange man`.\n.TH HASHRANGE 1 " +
                               std::string(kManDate) + " \"Hashrange 1.2.3\"\n.SH NAME\n"));
}

TEST(ManPage, CommandsAreWrittenFromTheDescription) {
  const std::string page = ManPage(MadeUpProgram(), "1.2.3");
  EXPECT_EQ(Section(page, "NAME"), "hashrange \\- a made\\-up server\n");
  EXPECT_EQ(Section(page, "SYNOPSIS"),
            "\\fBhashrange\\fR [\\fBserve\\fR] [\\fIOPTIONS\\fR]\n"
            ".br\n"
            "\\fBhashrange check\\fR [\\fIOPTIONS\\fR] \\fIDIR\\fR\n");
  EXPECT_EQ(Section(page, "COMMANDS"),
            ".SS hashrange check [OPTIONS] DIR\n"
            "Check it.\n"
            ".TP\n\\fIDIR\\fR\nThe directory\n"
            ".TP\n\\fB\\-\\-json\\fR [\\fIFILE\\fR]\nAs JSON\n");
  EXPECT_EQ(Section(page, "EXAMPLES"),
            ".EX\nhashrange \\-\\-port 1\n\\&.hidden\n.sp\nhashrange check x\n.EE\n");
}

TEST(ManPage, ItHasTheUsualSectionsInTheUsualOrder) {
  const std::string page = ManPage(MadeUpProgram(), "1.2.3");
  std::size_t at = 0;
  for (const char* title : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT",
                            "EXIT STATUS", "SIGNALS", "FILES", "EXAMPLES", "SEE ALSO"}) {
    const std::size_t found = page.find(std::string("\n.SH ") + title + "\n", at);
    ASSERT_NE(found, page.npos) << title;
    at = found;
  }
}

}  // namespace
}  // namespace hashrange
