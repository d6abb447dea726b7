#include "measure/report/terminal_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

using ::testing::ElementsAre;

TEST(TerminalText, NumbersStandAtTheRight) {
  const ReportTable table{.columns = {{"name", ColumnKind::kText}, {"calls"}},
                          .rows = {{"a", "1,000"}, {"longer", "7"}}};
  EXPECT_THAT(TableLines(table, 80),
              ElementsAre("name    calls", "a       1,000", "longer      7"));
}

TEST(TerminalText, TheFirstColumnIsClippedToTheWidth) {
  const ReportTable table{.columns = {{"", ColumnKind::kText}, {"calls"}},
                          .rows = {{"abcdefghijklmnopqrstuvwxyz", "12345"}}};
  EXPECT_THAT(TableLines(table, 27),
              ElementsAre("                      calls", "abcdefghijkl\u2026tuvwxyz  12345"));
}

TEST(TerminalText, TheFirstColumnIsWrappedIntoAFewLines) {
  ReportTable table{.columns = {{"", ColumnKind::kText}, {"calls"}}, .most_lines = 2};
  table.rows = {{"Query shop where PK = CUST#{id}", "12345"}, {"short", "1"}};
  EXPECT_THAT(TableLines(table, 27),
              ElementsAre("                      calls", "Query shop where      12345",
                          "  PK = CUST#{id}", "short                     1"));
  table.rows = {{"Query shop where PK = CUST#{id} and SK begins_with ORDER#", "12345"}};
  EXPECT_THAT(TableLines(table, 27),
              ElementsAre("                      calls", "Query shop where      12345",
                          "  PK = …_with ORDER#"));
}

TEST(TerminalText, WideCharactersAreFittedByColumns) {
  for (std::size_t width = 1; width < 14; ++width) {
    EXPECT_EQ(TerminalColumns(FitText("\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57", width, false)),
              width);
  }
}

TEST(TerminalText, LinesAreBrokenAtBlanks) {
  EXPECT_THAT(WrapText("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(WrapText("onetwothree", 4), ElementsAre("onet", "woth", "ree"));
  EXPECT_THAT(WrapText("", 4), ElementsAre());
}

TEST(TerminalText, AColumnMayHaveAnotherNameInATerminalOrBeOfAPageOnly) {
  const ReportTable table{.columns = {{"Pattern", ColumnKind::kText, {}, ShownIn::kPage},
                                      {"Table or index", ColumnKind::kText, ""},
                                      {"Read units", ColumnKind::kNumber, "read"},
                                      {"Method", ColumnKind::kText, {}, ShownIn::kPage}},
                          .rows = {{"p", "shop", "1,000", "measured"}}};
  EXPECT_THAT(TableLines(table, 80), ElementsAre("       read", "shop  1,000"));
}

TEST(TerminalText, GroupsOfColumnsThatDoNotFitAreTablesOfTheirOwn) {
  ReportTable table{.columns = {{"", ColumnKind::kText}},
                    .rows = {{"calls"}, {"items"}, {"bytes"}},
                    .most_rows = 2,
                    .more_place = ", which --json has",
                    .group_columns = 1};
  for (const char* const name : {"first", "second", "third"}) {
    table.columns.push_back({name + std::string(24, 'x')});
    for (auto& row : table.rows) row.emplace_back("1");
  }
  const ReportSection section{.parts = {table}};
  const std::string first = "  " + std::string(28, ' ') + "1";
  const std::string second = "  " + std::string(29, ' ') + "1";
  EXPECT_EQ(TerminalText({&section, 1}, {.columns = 80}),
            "       firstxxxxxxxxxxxxxxxxxxxxxxxx  secondxxxxxxxxxxxxxxxxxxxxxxxx\n"
            "calls" +
                first + second + "\nitems" + first + second + "\n\n" +
                "       thirdxxxxxxxxxxxxxxxxxxxxxxxx\ncalls" + first + "\nitems" + first + "\n" +
                "and 1 more, which --json has\n");
}

TEST(TerminalText, ColourChangesNothingElse) {
  ReportCards cards{.most = 1};
  cards.findings = {{.severity = "severe", .summary = "It is slow."}, {.severity = "hint"}};
  const ReportSection sections[] = {
      {.heading = "Patterns", .parts = {ReportTable{.columns = {{"name"}}, .rows = {{"a"}}}}},
      {.heading = "Findings", .parts = {std::move(cards)}}};
  const std::string plain = "Patterns\nname\na\n\nFindings\nsevere   It is slow.\nand 1 more\n";
  EXPECT_EQ(TerminalText(sections, {}), plain);
  EXPECT_EQ(TerminalText(sections, {.has_colour = true}),
            "\x1B[1mPatterns\x1B[0m\n\x1B[2mname\x1B[0m\na\n\n\x1B[1mFindings\x1B[0m\n"
            "\x1B[31msevere   \x1B[0mIt is slow.\nand 1 more\n");
}

}  // namespace
}  // namespace hashrange
