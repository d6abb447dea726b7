#include "lab/report/lab_plans.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/text/time_text.h"
#include "lab/report/lab_example.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "measure/report/readable_text.h"
#include "support/golden_text.h"

namespace hashrange {
namespace {

using Lines = std::vector<std::string>;

TEST(RequestLines, WhatFitsStaysOnALine) {
  EXPECT_EQ(RequestLines(R"({"A":1,"B":["x, y:z","\"}"]})", 40),
            Lines{R"({"A": 1, "B": ["x, y:z", "\"}"]})"});
}

TEST(RequestLines, WhatDoesNotFitHasALineForEachMember) {
  EXPECT_EQ(
      RequestLines(R"({"Name":"shop","Key":{"PK":{"S":"CUST#{customer_id}"},"SK":{"S":"M"}}})", 40),
      (Lines{"{", R"(  "Name": "shop",)", R"(  "Key": {)",
             R"(    "PK": {"S": "CUST#{customer_id}"},)", R"(    "SK": {"S": "M"})", "  }", "}"}));
}

TEST(RequestLines, MoreOfTheSameStaysWhereItIs) {
  EXPECT_EQ(RequestLines(R"([{"Put":"a long text"},…])", 12),
            (Lines{"[", "  {", R"(    "Put": "a long text")", "  },", "  …", "]"}));
}

TEST(RequestLines, TextsAreNotDivided) {
  EXPECT_EQ(RequestLines(R"({"A":"one two three"})", 8),
            (Lines{"{", R"(  "A": "one two three")", "}"}));
}

TEST(RequestLines, AnyTextGivesLines) {
  for (const char* const text : {"", "{", "}", "\"", "{\"", "[[[", "a{b", "{]", "\"\\"}) {
    EXPECT_FALSE(RequestLines(text, 1).empty()) << text;
  }
  EXPECT_EQ(RequestLines("\x1B", 10), Lines{"\\u{1B}"});
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  EXPECT_LT(RequestLines(deep, 10).size(), 100u);
}

TEST(UnitsText, SaysWhatACallTakesOfVectors) {
  EXPECT_EQ(UnitsText({.read_units = 0.5}), "0.5 r");
  EXPECT_EQ(UnitsText(TakenOfCall{}), "0");
  EXPECT_EQ(UnitsText({.searched_bytes = 13'648.8}), "13.3 KB searched");
  EXPECT_EQ(UnitsText({.read_units = 10, .searched_bytes = 2048}), "10 r + 2 KB searched");
  EXPECT_EQ(UnitsText({.write_units = 2.5, .vector_write_bytes = 1024}), "2.5 w + 1 KB of vectors");
}

TEST(SpreadsText, SaysWhatCallsTakeOfVectors) {
  const UnitSpread nothing = {.calls = 100};
  const UnitSpread searched = {.calls = 100, .least = 1024, .mean = 3072, .greatest = 4096};
  EXPECT_EQ(
      SpreadsText({.read_units = nothing, .write_units = nothing, .searched_bytes = searched}),
      "1 KB to 4 KB, mean 3 KB of vectors searched");
  const UnitSpread two = {.is_computed = true, .calls = 9, .least = 2, .mean = 2, .greatest = 2};
  const UnitSpread bytes = {
      .is_computed = true, .calls = 9, .least = 1024, .mean = 1024, .greatest = 1024};
  EXPECT_EQ(SpreadsText({.write_units = two, .vector_write_bytes = bytes}),
            "2 write units (computed), 1 KB of vectors written");
}

TEST(StepTitle, SaysWhatAStepDoes) {
  PlanStep step;
  step.request.operation = "Query";
  step.request.table = "shop";
  step.request.index = "GSI1";
  EXPECT_EQ(StepTitle(step), "Query shop / GSI1");
  step.shards = 8;
  step.is_paged = true;
  step.items = 20;
  EXPECT_EQ(StepTitle(step),
            "Query shop / GSI1, once for each of 8 shards, page by page until 20 items were "
            "returned");
  step.buckets = {.form = LabTemplatePart::Form::kDay, .from_ms = -400 * kDayMs};
  step.walk = {.is_backward = true, .items = 20};
  EXPECT_EQ(StepTitle(step),
            "Query shop / GSI1, day after day from the newest until 20 items were returned, at "
            "once for each of 8 shards, 800 requests at most");
}

TEST(ExplanationText, PatternsHaveRequestsUnitsAndReasons) {
  ExpectGolden("tests/lab/report/golden/explain.txt",
               ExplanationText(ShopLab(), ShopExplanation(), {.columns = 100}));
}

TEST(ExplanationText, FitsTheTerminal) {
  std::istringstream lines(ExplanationText(ShopLab(), ShopExplanation(), {.columns = 100}));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(TerminalColumns(line), 100u) << line;
  }
}

TEST(ExplanationText, HostileTextsAreReadable) {
  std::vector<ExplainedLayout> layouts = ShopExplanation();
  layouts[0].name = "\x1B[31m";
  layouts[0].patterns[0].name = "\xE2\x80\xAE";
  layouts[0].patterns[0].plan.reasons = {"\x07"};
  layouts[0].patterns[0].plan.steps[0].request.table = "\x1B";
  AppendText("\xE2\x80\xAE", layouts[0].patterns[0].plan.steps[0].request.nodes);
  layouts[0].findings[0].what = "\x1B";
  std::string text = ExplanationText(HostileLab(), layouts, {});
  std::erase(text, '\n');
  EXPECT_EQ(text, ReadableText(text));
}

TEST(ExplanationText, NothingIsExplained) {
  EXPECT_EQ(ExplanationText(ShopLab(), {}, {}), "No layout was explained.\n");
}

TEST(UnitSpreadText, SaysHowTheUnitsAreKnown) {
  EXPECT_EQ(SpreadText({true, 1, 0.5, 0.5, 0.5}, "read unit"), "0.5 read units (computed)");
  EXPECT_EQ(SpreadText({true, 9, 1, 1, 1}, "write unit"), "1 write unit (computed)");
  EXPECT_EQ(SpreadText({false, 100, 2, 3.1, 7.5}, "read unit"),
            "2 to 7.5, mean 3.1 read units (measured, 100 calls)");
  EXPECT_EQ(SpreadText({false, 100, 2, 3.1, 7.5, 0.02}, "read unit"),
            "2 to 7.5, mean 3.1 read units (measured, 100 calls, with 2 % of the data)");
  ExplainedPattern pattern;
  EXPECT_EQ(SpreadsText(pattern), "units not known: no call succeeded");
  pattern.read_units = {true, 1, 0, 0, 0};
  EXPECT_EQ(SpreadsText(pattern), "0 read units (computed)");
}

}  // namespace
}  // namespace hashrange
