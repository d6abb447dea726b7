#include "cli/mcp_command.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/command_lines.h"

namespace hashrange {
namespace {

McpLine ParseMcp(const std::vector<const char*>& arguments) {
  return ParseBehind("mcp", ParseMcpLine, arguments);
}

// The message for a wrong command line, without the hint after it.
std::string McpRefusal(const std::vector<const char*>& arguments) {
  const auto parse = [&] {
    McpLine line = ParseMcp(arguments);
    EXPECT_TRUE(line.is_over);
    return line;
  };
  return RefusalBy(parse, "hashrange mcp");
}

TEST(McpLine, NothingNeedsToBeGiven) {
  const McpLine line = ParseMcp({});
  EXPECT_FALSE(line.is_over);
  EXPECT_FALSE(line.serves);
  EXPECT_FALSE(line.is_read_only);
  EXPECT_EQ(line.endpoint + line.profile + line.token + line.account + line.region + line.reports,
            "");
  EXPECT_EQ(line.place.seed + line.place.database.data_directory, "");
  EXPECT_EQ(line.place.log_level, "info");
}

TEST(McpLine, AllOptionsOfADatabase) {
  const McpLine line = ParseMcp({"--seed", "shop/", "--data", "d", "--port", "8001", "--account",
                                 "111122223333", "--region", "eu-west-1", "--read-only",
                                 "--reports", "out", "--log-level", "error"});
  EXPECT_EQ(line.place.seed, "shop/");
  EXPECT_EQ(line.place.database.data_directory, "d");
  EXPECT_TRUE(line.serves);
  EXPECT_EQ(line.place.server.port, 8001);
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
      ParseMcp({"--endpoint", "http://localhost:8000", "--profile", "dev", "--token", "secret"});
  EXPECT_EQ(line.endpoint, "http://localhost:8000");
  EXPECT_EQ(line.profile, "dev");
  EXPECT_EQ(line.token, "secret");
}

TEST(McpLine, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(McpRefusal({"--endpoint", "http://a", "--seed", "b"}), "--seed excludes --endpoint");
  EXPECT_EQ(McpRefusal({"--endpoint", "http://a", "--data", "b"}), "--data excludes --endpoint");
  EXPECT_EQ(McpRefusal({"--endpoint", "http://a", "--port", "1"}), "--port excludes --endpoint");
  EXPECT_EQ(McpRefusal({"--profile", "a"}), "--profile requires --endpoint");
  EXPECT_EQ(McpRefusal({"--token", "a"}), "--token requires --endpoint");
  EXPECT_EQ(McpRefusal({"--account", "12"}), "--account: not an account of 12 digits: 12");
  EXPECT_EQ(McpRefusal({"--reports", ""}), "--reports is empty");
  EXPECT_EQ(McpRefusal({"--prt", "1"}), "unknown argument: --prt");
  EXPECT_EQ(McpRefusal({"serve"}), "unknown argument: serve");
}

}  // namespace
}  // namespace hashrange
