#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hashrange {
namespace {

CommandLine Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "hashrange");
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

// The message for a wrong command line, without the hint after it.
std::string Refusal(const std::vector<const char*>& arguments) {
  testing::internal::CaptureStderr();
  const CommandLine line = Parse(arguments);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.command, CommandLine::Command::kNothing);
  EXPECT_EQ(line.exit_code, 2);
  constexpr std::string_view kBegin = "hashrange: ";
  EXPECT_TRUE(said.starts_with(kBegin)) << said;
  const std::size_t hint = said.find(" (see hashrange --help)\n");
  return said.substr(kBegin.size(), hint - kBegin.size());
}

TEST(CommandLine, AnEmptyValueIsRefused) {
  for (const char* option : {"--seed", "--control-token", "--host", "--port", "--threads",
                             "--log-level", "--ready-fd", "--ttl-interval", "--stream-buffer"}) {
    const std::string with_value = std::string(option) + "=";
    const std::string refusal = std::string(option) + " is empty";
    EXPECT_EQ(Refusal({option, ""}), refusal);
    EXPECT_EQ(Refusal({"serve", option, "", "--shared"}), refusal);
    EXPECT_EQ(Refusal({with_value.c_str()}), refusal);
    EXPECT_EQ(Refusal({"serve", with_value.c_str(), "--shared"}), refusal);
  }
  EXPECT_EQ(Refusal({"healthcheck", "--host", ""}), "--host is empty");
  EXPECT_EQ(Refusal({"--exit-with-parent="}), "--exit-with-parent is empty");
  EXPECT_EQ(Refusal({""}), "the command is empty");
  EXPECT_EQ(Parse({"--control-token=a="}).control_token, "a=");
}

TEST(CommandLine, OptionsOfAccessMayBeRepeated) {
  const CommandLine none = Parse({});
  EXPECT_TRUE(none.files.empty() && none.cors.empty() && none.allowed_hosts.empty());
  for (const bool with_command : {false, true}) {
    std::vector<const char*> arguments = {
        "--files",      "/a",      "--cors",       "https://app.example:3000",
        "--files",      "/b c",    "--cors",       "*",
        "--allow-host", "db.test", "--allow-host", "other"};
    if (with_command) arguments.insert(arguments.begin(), "serve");
    const CommandLine line = Parse(arguments);
    EXPECT_EQ(line.files, (std::vector<std::string>{"/a", "/b c"}));
    EXPECT_EQ(line.cors, (std::vector<std::string>{"https://app.example:3000", "*"}));
    EXPECT_EQ(line.allowed_hosts, (std::vector<std::string>{"db.test", "other"}));
  }
  EXPECT_EQ(Refusal({"--files", "/a", "/b"}), "unknown argument: /b");
  EXPECT_EQ(Refusal({"--cors", "app.example"}),
            "--cors: not an origin like https://app.example:3000, and not * alone: app.example");
  EXPECT_EQ(Refusal({"--cors", "http://a*"}),
            "--cors: not an origin like https://app.example:3000, and not * alone: http://a*");
  EXPECT_EQ(Refusal({"--allow-host", "*"}),
            "--allow-host: not a name like db.example, and no pattern stands for several: *");
}

TEST(CommandLine, LimitsHaveUnits) {
  EXPECT_EQ(Parse({}).request_memory_bytes, 256u << 20);
  EXPECT_EQ(Parse({"--request-memory", "1GB"}).request_memory_bytes, 1u << 30);
  EXPECT_EQ(Parse({"serve", "--request-memory=32MB"}).request_memory_bytes, 32u << 20);
  EXPECT_NE(Refusal({"--request-memory", "1MB"}), "");
  EXPECT_EQ(Parse({}).max_connections, 0);
  EXPECT_EQ(Parse({"--max-connections", "5"}).max_connections, 5);
  EXPECT_NE(Refusal({"--max-connections", "0"}), "");
}

TEST(CommandLine, TheMemoryOfTheDataIsBounded) {
  EXPECT_EQ(Parse({}).max_memory_bytes, -1);
  EXPECT_EQ(Parse({"--max-memory", "2GB"}).max_memory_bytes, std::int64_t{2} << 30);
  EXPECT_EQ(Parse({"serve", "--max-memory=16MB"}).max_memory_bytes, 16 << 20);
  EXPECT_EQ(Parse({"--max-memory", "none"}).max_memory_bytes, 0);
  EXPECT_EQ(Parse({"--max-memory", "0"}).max_memory_bytes, 0);
  EXPECT_EQ(Refusal({"--max-memory", "1MB"}), "--max-memory: less than 16MB: 1048576");
  EXPECT_NE(Refusal({"--max-memory", "much"}), "");
  EXPECT_NE(Refusal({"--max-memory", "-1"}), "");
}

TEST(CommandLine, ATimeHasAUnit) {
  EXPECT_EQ(Parse({}).ttl_interval_ms, 1000);
  EXPECT_EQ(Parse({"--ttl-interval", "500ms"}).ttl_interval_ms, 500);
  EXPECT_EQ(Parse({"serve", "--ttl-interval=5m"}).ttl_interval_ms, 300'000);
  EXPECT_EQ(Parse({"--ttl-interval", "1d"}).ttl_interval_ms, 86'400'000);
  EXPECT_EQ(Parse({"--ttl-interval", "0"}).ttl_interval_ms, 0);
  for (const char* wrong : {"5", "1.5s", "1 s", "soon"}) {
    EXPECT_EQ(Refusal({"--ttl-interval", wrong}),
              std::string("--ttl-interval: ") + wrong +
                  R"( is not a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d")");
  }
  EXPECT_EQ(Refusal({"--ttl-interval", "2d"}), "--ttl-interval: 2d is longer than a day");
}

TEST(CommandLine, ASeedGoesIntoAnAccountAndARegion) {
  const CommandLine line =
      Parse({"--seed", "fixtures", "--seed-account", "111122223333", "--seed-region", "eu-west-1"});
  EXPECT_EQ(line.seed, "fixtures");
  EXPECT_EQ(line.seed_account, "111122223333");
  EXPECT_EQ(line.seed_region, "eu-west-1");
  for (const char* wrong : {"1", "11112222333a", "1111222233334"}) {
    EXPECT_EQ(Refusal({"--seed", "fixtures", "--seed-account", wrong}),
              std::string("--seed-account: not an account of 12 digits: ") + wrong);
  }
  EXPECT_EQ(Refusal({"--seed-account", "111122223333"}), "--seed-account requires --seed");
  EXPECT_EQ(Refusal({"--seed-region", "eu-west-1"}), "--seed-region requires --seed");
  EXPECT_EQ(Refusal({"--seed", "fixtures", "--seed-region", "us_X!"}),
            "--seed-region: not a Region like us-east-1: us_X!");
}

TEST(CommandLine, AParentMayBeNamed) {
  EXPECT_FALSE(Parse({}).exits_with_parent);
  for (const bool with_command : {false, true}) {
    const auto parse = [&](const char* argument) {
      return with_command ? Parse({"serve", argument}) : Parse({argument});
    };
    const CommandLine any = parse("--exit-with-parent");
    EXPECT_TRUE(any.exits_with_parent);
    EXPECT_EQ(any.parent, 0);
    const CommandLine named = parse("--exit-with-parent=4711");
    EXPECT_TRUE(named.exits_with_parent);
    EXPECT_EQ(named.parent, 4711);
  }
  for (const char* wrong : {"x", "0", "-1", "1x", "99999999999", "false"}) {
    const std::string argument = std::string("--exit-with-parent=") + wrong;
    EXPECT_EQ(Refusal({argument.c_str()}),
              std::string("--exit-with-parent: not the number of a process: ") + wrong);
  }
}

class ControlToken : public testing::Test {
 protected:
  ControlToken()
      : file_(std::filesystem::temp_directory_path() /
              ("hashrange-token-" + std::to_string(getpid()))) {
    unsetenv("HASHRANGE_TOKEN");
  }
  ~ControlToken() override {
    std::filesystem::remove(file_);
    unsetenv("HASHRANGE_TOKEN");
  }
  std::string TokenOrError(const CommandLine& line) {
    std::string error;
    const std::string token = ReadControlToken(line, &error);
    return error.empty() ? token : "error: " + error;
  }
  CommandLine LineWithTokenFile(const std::string& text) {
    std::ofstream(file_) << text;
    CommandLine line;
    line.control_token_file = file_.string();
    return line;
  }

  const std::filesystem::path file_;
};

TEST_F(ControlToken, IsTakenFromOptionFileOrVariable) {
  CommandLine line;
  EXPECT_EQ(TokenOrError(line), "");
  setenv("HASHRANGE_TOKEN", "of the variable", 1);
  EXPECT_EQ(TokenOrError(line), "of the variable");
  EXPECT_EQ(TokenOrError(LineWithTokenFile("of the file\r\n")), "of the file");
  line.control_token = "of the command line";
  EXPECT_EQ(TokenOrError(line), "of the command line");
  setenv("HASHRANGE_TOKEN", "", 1);
  EXPECT_EQ(TokenOrError(CommandLine()), "");
}

TEST_F(ControlToken, AFileWithoutOneIsAnError) {
  setenv("HASHRANGE_TOKEN", "of the variable", 1);
  EXPECT_EQ(TokenOrError(LineWithTokenFile(" \n")),
            "error: --control-token-file: " + file_.string() + " holds no token");
  CommandLine line;
  line.control_token_file = "/nowhere/at/all";
  EXPECT_EQ(TokenOrError(line),
            "error: --control-token-file: cannot read /nowhere/at/all: No such file or directory");
}

}  // namespace
}  // namespace hashrange
