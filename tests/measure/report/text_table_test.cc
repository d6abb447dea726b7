#include "measure/report/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

using ::testing::ElementsAre;

TEST(TextTable, NumbersStandAtTheRight) {
  const TextTable table{.columns = {{"name", false}, {"calls"}},
                        .rows = {{"a", "1,000"}, {"longer", "7"}}};
  EXPECT_THAT(TextTableLines(table, 80),
              ElementsAre("name    calls", "a       1,000", "longer      7"));
}

TEST(TextTable, TheFirstColumnIsClippedToTheWidth) {
  const TextTable table{.columns = {{"", false}, {"calls"}},
                        .rows = {{"abcdefghijklmnopqrstuvwxyz", "12345"}}};
  EXPECT_THAT(TextTableLines(table, 27),
              ElementsAre("                      calls", "abcdefghijkl\u2026tuvwxyz  12345"));
}

TEST(TextTable, TheFirstColumnIsWrappedIntoAFewLines) {
  TextTable table{.columns = {{"", false}, {"calls"}}, .most_lines = 2};
  table.rows = {{"Query shop where PK = CUST#{id}", "12345"}, {"short", "1"}};
  EXPECT_THAT(TextTableLines(table, 27),
              ElementsAre("                      calls", "Query shop where      12345",
                          "  PK = CUST#{id}", "short                     1"));
  table.rows = {{"Query shop where PK = CUST#{id} and SK begins_with ORDER#", "12345"}};
  EXPECT_THAT(TextTableLines(table, 27),
              ElementsAre("                      calls", "Query shop where      12345",
                          "  PK = …_with ORDER#"));
}

TEST(TextTable, WideCharactersAreFittedByColumns) {
  for (std::size_t width = 1; width < 14; ++width) {
    EXPECT_EQ(TerminalColumns(FitText("\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57", width, false)),
              width);
  }
}

TEST(TextTable, LinesAreBrokenAtBlanks) {
  EXPECT_THAT(WrapText("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(WrapText("onetwothree", 4), ElementsAre("onet", "woth", "ree"));
  EXPECT_THAT(WrapText("", 4), ElementsAre());
}

}  // namespace
}  // namespace hashrange
