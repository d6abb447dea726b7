#include "cli/terminal/program_output.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(ProgramOutput, IndentedJsonHasALineForEachMemberAndElement) {
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

TEST(ProgramOutput, EmptyObjectsAndArraysStayTogether) {
  EXPECT_EQ(IndentJson("{}"), "{}");
  EXPECT_EQ(IndentJson(R"({"rules":[],"o":{}})"), "{\n  \"rules\": [],\n  \"o\": {}\n}");
  EXPECT_EQ(IndentJson(""), "");
}

TEST(ProgramOutput, TextsStayAsTheyAre) {
  EXPECT_EQ(IndentJson(R"({"a":"{,[:\"]}\\"})"), "{\n  \"a\": \"{,[:\\\"]}\\\\\"\n}");
}

TEST(ProgramOutput, InvalidTextsDoNotHang) {
  EXPECT_EQ(IndentJson("\"\\"), "\"\\");
  EXPECT_EQ(IndentJson("]]"), "]]");
}

TEST(ProgramOutput, AnErrorControlsNoTerminal) {
  testing::internal::CaptureStderr();
  PrintError("there is no table \x1B[2J");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "hashrange: there is no table \\u{1B}[2J\n");
}

}  // namespace
}  // namespace hashrange
