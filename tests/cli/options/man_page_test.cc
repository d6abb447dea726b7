#include "cli/options/man_page.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

CommandRow DocumentedProgram() {
  return {.path = "hashrange",
          .help = "Hashrange: a made-up server.",
          .footer = "Prose that\ngoes on.\nExamples:\n  hashrange --port 1\n  .hidden",
          .options = {{"--help", "", "Help", kNoTarget, OptionRules{.short_name = "-h"}},
                      {"--port", "PORT", "The port"}},
          .commands = {{.path = "hashrange check",
                        .help = "Check it",
                        .footer = "Example:\n  hashrange check x",
                        .arguments = {{"DIR", "", "The directory", kNoTarget,
                                       OptionRules{.is_required = true}}},
                        .options = {{"--json", "FILE", "As JSON", kNoTarget,
                                     OptionRules{.value_is_optional = true}}}}}};
}

// The text between a section's title and the next one.
std::string Section(const std::string& page, const std::string& title) {
  const std::size_t begin = page.find(".SH " + title + "\n");
  if (begin == page.npos) return "no such section";
  const std::size_t text = page.find('\n', begin) + 1;
  return page.substr(text, page.find(".SH ", text) - text);
}

TEST(ManPage, ItBeginsWithItsTitle) {
  EXPECT_TRUE(ManPage(DocumentedProgram(), "1.2.3")
                  .starts_with(".\\\" Written by `hashrange man`.\n.TH HASHRANGE 1 " +
                               std::string(kManDate) + " \"Hashrange 1.2.3\"\n.SH NAME\n"));
}

TEST(ManPage, CommandsAreWrittenFromTheDescription) {
  const std::string page = ManPage(DocumentedProgram(), "1.2.3");
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
  const std::string page = ManPage(DocumentedProgram(), "1.2.3");
  std::size_t at = 0;
  for (const char* title : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT",
                            "EXIT STATUS", "SIGNALS", "FILES", "EXAMPLES", "SEE ALSO"}) {
    const std::size_t found = page.find(std::string("\n.SH ") + title + "\n", at);
    ASSERT_NE(found, page.npos) << title;
    at = found;
  }
}

TEST(ManPage, CharactersAreThemselves) {
  EXPECT_EQ(RoffText("plain text, 100%"), "plain text, 100%");
  EXPECT_EQ(RoffText("--port a\\b"), "\\-\\-port a\\eb");
  EXPECT_EQ(RoffText("the server's `x` ~ ^ \"y\""),
            "the server\\(aqs \\(gax\\(ga \\(ti \\(ha \\(dqy\\(dq");
  EXPECT_EQ(RoffText("{…} é 𝄞"), "{\\[u2026]} \\[u00E9] \\[u1D11E]");
}

TEST(ManPage, NoTextIsACommand) {
  EXPECT_EQ(RoffText(".br"), "\\&.br");
  EXPECT_EQ(RoffText("'br"), "\\&\\(aqbr");
  EXPECT_EQ(RoffText("a .br"), "a .br");
}

TEST(ManPage, LinesAreShortAndNoneIsACommand) {
  std::string page = "before\n";
  AppendRoffLines("", page);
  EXPECT_EQ(page, "before\n");
  std::string text, line;
  for (int i = 0; i < 15; ++i) text += "1234 ";
  for (int i = 0; i < 15; ++i) line += i == 0 ? "1234" : " 1234";
  AppendRoffLines(text + "123 .end", page);  // 15 * 5 + 3 = 78 characters are before " .end"
  EXPECT_EQ(page, "before\n" + line + " 123\n\\&.end\n");
}

TEST(ManPage, PathsAreNotHyphenated) {
  std::string page;
  AppendRoffLines("see docs/lab.md", page);
  EXPECT_EQ(page, "see \\%docs/lab.md\n");
}

}  // namespace
}  // namespace hashrange
