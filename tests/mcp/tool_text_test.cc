#include "mcp/tool_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace hashrange {
namespace {

TEST(ToolText, WhatFitsStaysAsItIs) {
  ReportFolder reports("/nowhere/at/all");
  EXPECT_EQ(BoundedText("short", reports, "x", 5), "short");
}

TEST(ToolText, WhatIsTooLongIsCutBehindALine) {
  const std::string folder = (std::filesystem::temp_directory_path() / "tool-text-test").string() +
                             std::to_string(::testing::UnitTest::GetInstance()->random_seed());
  std::filesystem::remove_all(folder);
  ReportFolder reports(folder);
  EXPECT_EQ(BoundedText("one\ntwo\nthree\n", reports, "x.txt", 10),
            "one\ntwo\n… the first 8 of 14 bytes; all of it: " + folder + "/0001-x.txt\n");
  // Without a line end, between two characters.
  EXPECT_EQ(BoundedText("abcü", reports, "x.txt", 4),
            "abc\n… the first 3 of 5 bytes; all of it: " + folder + "/0002-x.txt\n");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hashrange
