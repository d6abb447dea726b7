#include "lab/report/request_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
}

}  // namespace
}  // namespace hashrange
