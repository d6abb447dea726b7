#include "cli/json_layout.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(JsonLayout, EachMemberAndElementHasALine) {
  EXPECT_EQ(IndentJson(R"({"a":1,"b":[true,{"c":"x"}]})"), R"({
  "a": 1,
  "b": [
    true,
    {
      "c": "x"
    }
  ]
})");
}

TEST(JsonLayout, EmptyObjectsAndArraysStayTogether) {
  EXPECT_EQ(IndentJson("{}"), "{}");
  EXPECT_EQ(IndentJson(R"({"rules":[],"o":{}})"), "{\n  \"rules\": [],\n  \"o\": {}\n}");
  EXPECT_EQ(IndentJson(""), "");
}

TEST(JsonLayout, TextsStayAsTheyAre) {
  EXPECT_EQ(IndentJson(R"({"a":"{,[:\"]}\\"})"), "{\n  \"a\": \"{,[:\\\"]}\\\\\"\n}");
}

TEST(JsonLayout, InvalidTextsDoNotHang) {
  EXPECT_EQ(IndentJson("\"\\"), "\"\\");
  EXPECT_EQ(IndentJson("]]"), "]]");
}

}  // namespace
}  // namespace hashrange
