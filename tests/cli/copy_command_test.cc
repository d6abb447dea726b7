#include "cli/copy_command.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "cli/command_lines.h"

namespace hashrange {
namespace {

CopyLine ParseCopy(const std::vector<const char*>& arguments) {
  return ParseBehind("copy", ParseCopyLine, arguments);
}

// The message for a wrong command line, without the hint after it.
std::string CopyRefusal(const std::vector<const char*>& arguments) {
  const auto parse = [&] {
    CopyLine line = ParseCopy(arguments);
    EXPECT_TRUE(line.is_over);
    return line;
  };
  return RefusalBy(parse, "hashrange copy");
}

TEST(CopyLine, BothSidesAreEnough) {
  const CopyLine line = ParseCopy({"--from", "aws:eu-west-1", "--to", "dump"});
  EXPECT_FALSE(line.is_over);
  EXPECT_EQ(line.from.place, "aws:eu-west-1");
  EXPECT_EQ(line.to.place, "dump");
  EXPECT_EQ(line.from.profile + line.from.region + line.to.profile + line.to.region, "");
  EXPECT_EQ(line.ca_file + line.request.prefix + line.prices + line.state, "");
  EXPECT_TRUE(line.request.tables.empty());
  EXPECT_TRUE(line.request.renames.empty());
  EXPECT_FALSE(line.request.into_existing);
  EXPECT_FALSE(line.request.resumes);
  EXPECT_FALSE(line.skips_verification);
  EXPECT_FALSE(line.request.compresses);
  EXPECT_EQ(line.request.segments, 8);
  EXPECT_EQ(line.request.read_units_a_second, 0);
  EXPECT_EQ(line.request.write_units_a_second, 0);
  EXPECT_EQ(line.request.spend_usd, std::nullopt);
}

TEST(CopyLine, AllOptions) {
  const CopyLine line = ParseCopy({"--from",          "a",        "--from-profile", "b",
                                   "--from-region",   "c",        "--to",           "d",
                                   "--to-profile",    "e",        "--to-region",    "f",
                                   "--ca-file",       "g",        "--tables",       "one,two",
                                   "--tables",        "three",    "--rename",       "one=eins",
                                   "--rename",        "two=zwei", "--prefix",       "dev-",
                                   "--into-existing", "--resume", "--no-verify",    "--gzip",
                                   "--segments",      "3",        "--read-units",   "12.5",
                                   "--write-units",   "7",        "--spend",        "0.25",
                                   "--prices",        "h",        "--state",        "i"});
  EXPECT_FALSE(line.is_over);
  EXPECT_EQ(line.from.place + line.from.profile + line.from.region, "abc");
  EXPECT_EQ(line.to.place + line.to.profile + line.to.region, "def");
  EXPECT_EQ(line.ca_file + line.prices + line.state, "ghi");
  EXPECT_EQ(line.request.tables, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(line.request.renames,
            (std::map<std::string, std::string>{{"one", "eins"}, {"two", "zwei"}}));
  EXPECT_EQ(line.request.prefix, "dev-");
  EXPECT_TRUE(line.request.into_existing);
  EXPECT_TRUE(line.request.resumes);
  EXPECT_TRUE(line.skips_verification);
  EXPECT_TRUE(line.request.compresses);
  EXPECT_EQ(line.request.segments, 3);
  EXPECT_EQ(line.request.read_units_a_second, 12.5);
  EXPECT_EQ(line.request.write_units_a_second, 7);
  EXPECT_EQ(line.request.spend_usd, 0.25);
}

TEST(CopyLine, WrongArgumentsAreRefused) {
  EXPECT_EQ(CopyRefusal({}), "--from is required");
  EXPECT_EQ(CopyRefusal({"--from", "a"}), "--to is required");
  const auto with = [](std::vector<const char*> more) {
    std::vector<const char*> arguments = {"--from", "a", "--to", "b"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return CopyRefusal(arguments);
  };
  EXPECT_EQ(with({"c"}), "unknown argument: c");
  EXPECT_EQ(with({"--no-such"}), "unknown argument: --no-such");
  EXPECT_EQ(with({"--tables", ""}), "--tables is empty");
  for (const char* text : {"a", "=a", "a="}) {
    EXPECT_EQ(with({"--rename", text}),
              "--rename: has to be OLD=NEW, the names of a table, and this is \"" +
                  std::string(text) + "\"")
        << text;
  }
  for (const char* text : {"0", "-1", "x", "nan", "inf", "1x", "1e30"}) {
    EXPECT_EQ(with({"--read-units", text}),
              "--read-units: has to be a number of units a second, from 0.1 on, and this is \"" +
                  std::string(text) + "\"")
        << text;
  }
  EXPECT_EQ(with({"--spend", "-1"}),
            "--spend: has to be an amount of US$, such as 0.50, and this is \"-1\"");
}

}  // namespace
}  // namespace hashrange
