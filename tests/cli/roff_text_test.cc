#include "cli/roff_text.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(RoffText, CharactersAreThemselves) {
  EXPECT_EQ(RoffText("plain text, 100%"), "plain text, 100%");
  EXPECT_EQ(RoffText("--port a\\b"), "\\-\\-port a\\eb");
  EXPECT_EQ(RoffText("the server's `x` ~ ^ \"y\""),
            "the server\\(aqs \\(gax\\(ga \\(ti \\(ha \\(dqy\\(dq");
  EXPECT_EQ(RoffText("{…} é 𝄞"), "{\\[u2026]} \\[u00E9] \\[u1D11E]");
}

TEST(RoffText, NoTextIsACommand) {
  EXPECT_EQ(RoffText(".br"), "\\&.br");
  EXPECT_EQ(RoffText("'br"), "\\&\\(aqbr");
  EXPECT_EQ(RoffText("a .br"), "a .br");
}

TEST(RoffText, LinesAreShortAndNoneIsACommand) {
  std::string page = "before\n";
  AppendRoffLines("", page);
  EXPECT_EQ(page, "before\n");
  std::string text, line;
  for (int i = 0; i < 15; ++i) text += "1234 ";
  for (int i = 0; i < 15; ++i) line += i == 0 ? "1234" : " 1234";
  AppendRoffLines(text + "123 .end", page);  // 15 * 5 + 3 = 78 characters are before " .end"
  EXPECT_EQ(page, "before\n" + line + " 123\n\\&.end\n");
}

TEST(RoffText, PathsAreNotHyphenated) {
  std::string page;
  AppendRoffLines("see docs/lab.md", page);
  EXPECT_EQ(page, "see \\%docs/lab.md\n");
}

}  // namespace
}  // namespace hashrange
