// JSON for people.
#include "cli/json_layout.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(JsonLayout, EachMemberAndElementHasALine) {
  EXPECT_EQ(LayOut(R"({"a":1,"b":[true,{"c":"x"}]})"), R"({
  "a": 1,
  "b": [
    true,
    {
      "c": "x"
    }
  ]
})");
}

TEST(JsonLayout, WhatIsEmptyStaysTogether) {
  EXPECT_EQ(LayOut("{}"), "{}");
  EXPECT_EQ(LayOut(R"({"rules":[],"o":{}})"), "{\n  \"rules\": [],\n  \"o\": {}\n}");
  EXPECT_EQ(LayOut(""), "");
}

TEST(JsonLayout, TextsStayAsTheyAre) {
  EXPECT_EQ(LayOut(R"({"a":"{,[:\"]}\\"})"), "{\n  \"a\": \"{,[:\\\"]}\\\\\"\n}");
}

TEST(JsonLayout, BrokenTextsEnd) {
  EXPECT_EQ(LayOut("\"\\"), "\"\\");
  EXPECT_EQ(LayOut("]]"), "]]");
}

}  // namespace
}  // namespace hashrange
