#include "cli/copy_line.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

CopyLine Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "copy");
  return ParseCopyLine(static_cast<int>(arguments.size()), arguments.data());
}

// The message for a wrong command line, without the hint after it.
std::string Refusal(const std::vector<const char*>& arguments) {
  testing::internal::CaptureStderr();
  const CopyLine line = Parse(arguments);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(line.is_over);
  EXPECT_EQ(line.exit_code, 2);
  constexpr std::string_view kBegin = "hashrange: ";
  EXPECT_TRUE(said.starts_with(kBegin)) << said;
  const std::size_t hint = said.find(" (see hashrange copy --help)\n");
  return said.substr(kBegin.size(), hint - kBegin.size());
}

TEST(CopyLine, BothSidesAreEnough) {
  const CopyLine line = Parse({"--from", "aws:eu-west-1", "--to", "dump"});
  EXPECT_FALSE(line.is_over);
  EXPECT_EQ(line.from.place, "aws:eu-west-1");
  EXPECT_EQ(line.to.place, "dump");
  EXPECT_EQ(line.from.profile + line.from.region + line.to.profile + line.to.region, "");
  EXPECT_EQ(line.ca_file + line.prefix + line.prices + line.state, "");
  EXPECT_TRUE(line.tables.empty());
  EXPECT_TRUE(line.renames.empty());
  EXPECT_FALSE(line.into_existing);
  EXPECT_FALSE(line.resumes);
  EXPECT_FALSE(line.skips_verification);
  EXPECT_FALSE(line.compresses);
  EXPECT_EQ(line.segments, 8);
  EXPECT_EQ(line.read_units, 0);
  EXPECT_EQ(line.write_units, 0);
  EXPECT_EQ(line.spend_usd, std::nullopt);
}

TEST(CopyLine, AllOptions) {
  const CopyLine line = Parse({"--from",          "a",        "--from-profile", "b",
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
  EXPECT_EQ(line.tables, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(line.renames, (std::map<std::string, std::string>{{"one", "eins"}, {"two", "zwei"}}));
  EXPECT_EQ(line.prefix, "dev-");
  EXPECT_TRUE(line.into_existing);
  EXPECT_TRUE(line.resumes);
  EXPECT_TRUE(line.skips_verification);
  EXPECT_TRUE(line.compresses);
  EXPECT_EQ(line.segments, 3);
  EXPECT_EQ(line.read_units, 12.5);
  EXPECT_EQ(line.write_units, 7);
  EXPECT_EQ(line.spend_usd, 0.25);
}

TEST(CopyLine, WrongArgumentsAreRefused) {
  EXPECT_EQ(Refusal({}), "--from is required");
  EXPECT_EQ(Refusal({"--from", "a"}), "--to is required");
  const auto with = [](std::vector<const char*> more) {
    std::vector<const char*> arguments = {"--from", "a", "--to", "b"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Refusal(arguments);
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
