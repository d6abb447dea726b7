#include "cli/mcp_line.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

McpLine Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "mcp");
  return ParseMcpLine(static_cast<int>(arguments.size()), arguments.data());
}

// The message for a wrong command line, without the hint after it.
std::string Refusal(const std::vector<const char*>& arguments) {
  testing::internal::CaptureStderr();
  const McpLine line = Parse(arguments);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(line.is_done);
  EXPECT_EQ(line.exit_code, 2);
  constexpr std::string_view kBegin = "hashrange: ";
  EXPECT_TRUE(said.starts_with(kBegin)) << said;
  const std::size_t hint = said.find(" (see hashrange mcp --help)\n");
  return said.substr(kBegin.size(), hint - kBegin.size());
}

TEST(McpLine, NothingNeedsToBeGiven) {
  const McpLine line = Parse({});
  EXPECT_FALSE(line.is_done);
  EXPECT_FALSE(line.serves);
  EXPECT_FALSE(line.is_read_only);
  EXPECT_EQ(line.endpoint + line.profile + line.token + line.account + line.region + line.reports,
            "");
  EXPECT_EQ(line.place.seed + line.place.data, "");
  EXPECT_EQ(line.place.log_level, "info");
}

TEST(McpLine, AllOptionsOfADatabase) {
  const McpLine line =
      Parse({"--seed", "shop/", "--data", "d", "--port", "8001", "--account", "111122223333",
             "--region", "eu-west-1", "--read-only", "--reports", "out", "--log-level", "error"});
  EXPECT_EQ(line.place.seed, "shop/");
  EXPECT_EQ(line.place.data, "d");
  EXPECT_TRUE(line.serves);
  EXPECT_EQ(line.place.port, 8001);
  EXPECT_EQ(line.account, "111122223333");
  EXPECT_EQ(line.region, "eu-west-1");
  EXPECT_EQ(line.place.seed_account, "111122223333");
  EXPECT_EQ(line.place.seed_region, "eu-west-1");
  EXPECT_TRUE(line.is_read_only);
  EXPECT_EQ(line.reports, "out");
  EXPECT_EQ(line.place.log_level, "error");
}

TEST(McpLine, AllOptionsOfAnEndpoint) {
  const McpLine line =
      Parse({"--endpoint", "http://localhost:8000", "--profile", "dev", "--token", "secret"});
  EXPECT_EQ(line.endpoint, "http://localhost:8000");
  EXPECT_EQ(line.profile, "dev");
  EXPECT_EQ(line.token, "secret");
}

TEST(McpLine, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(Refusal({"--endpoint", "http://a", "--seed", "b"}), "--seed excludes --endpoint");
  EXPECT_EQ(Refusal({"--endpoint", "http://a", "--data", "b"}), "--data excludes --endpoint");
  EXPECT_EQ(Refusal({"--endpoint", "http://a", "--port", "1"}), "--port excludes --endpoint");
  EXPECT_EQ(Refusal({"--profile", "a"}), "--profile requires --endpoint");
  EXPECT_EQ(Refusal({"--token", "a"}), "--token requires --endpoint");
  EXPECT_EQ(Refusal({"--account", "12"}), "--account: not an account of 12 digits: 12");
  EXPECT_EQ(Refusal({"--reports", ""}), "--reports is empty");
  EXPECT_EQ(Refusal({"--prt", "1"}), "unknown argument: --prt");
  EXPECT_EQ(Refusal({"serve"}), "unknown argument: serve");
}

}  // namespace
}  // namespace hashrange
