#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/command_lines.h"
#include "cli/ctl/ctl_table.h"

namespace hashrange {
namespace {

CommandLine ParseProgram(const std::vector<const char*>& arguments) {
  return ParseBehind("hashrange", ParseCommandLine, arguments);
}

// The message for a wrong command line, without the hint after it.
std::string ProgramRefusal(const std::vector<const char*>& arguments) {
  const auto parse = [&] {
    CommandLine line = ParseProgram(arguments);
    EXPECT_EQ(line.command, CommandLine::Command::kNothing);
    return line;
  };
  return RefusalBy(parse, "hashrange");
}

TEST(CommandLine, AnEmptyValueIsRefused) {
  EXPECT_EQ(ProgramRefusal({"--control-token", ""}), "--control-token is empty");
  EXPECT_EQ(ProgramRefusal({"serve", "--port=", "--shared"}), "--port is empty");
  EXPECT_EQ(ProgramRefusal({"healthcheck", "--host", ""}), "--host is empty");
  EXPECT_EQ(ProgramRefusal({"--exit-with-parent="}), "--exit-with-parent is empty");
  EXPECT_EQ(ParseProgram({"--control-token=a="}).server.control_token, "a=");
}

TEST(CommandLine, OptionsOfAccessMayBeRepeated) {
  const CommandLine none = ParseProgram({});
  EXPECT_TRUE(none.server.files.empty() && none.server.cors.empty() &&
              none.server.allowed_hosts.empty());
  for (const bool with_command : {false, true}) {
    std::vector<const char*> arguments = {
        "--files",      "/a",      "--cors",       "https://app.example:3000",
        "--files",      "/b c",    "--cors",       "*",
        "--allow-host", "db.test", "--allow-host", "other"};
    if (with_command) arguments.insert(arguments.begin(), "serve");
    const CommandLine line = ParseProgram(arguments);
    EXPECT_EQ(line.server.files, (std::vector<std::string>{"/a", "/b c"}));
    EXPECT_EQ(line.server.cors, (std::vector<std::string>{"https://app.example:3000", "*"}));
    EXPECT_EQ(line.server.allowed_hosts, (std::vector<std::string>{"db.test", "other"}));
  }
  EXPECT_EQ(ProgramRefusal({"--files", "/a", "/b"}), "unknown argument: /b");
  EXPECT_EQ(ProgramRefusal({"--cors", "app.example"}),
            "--cors: not an origin like https://app.example:3000, and not * alone: app.example");
  EXPECT_EQ(ProgramRefusal({"--cors", "http://a*"}),
            "--cors: not an origin like https://app.example:3000, and not * alone: http://a*");
  EXPECT_EQ(ProgramRefusal({"--allow-host", "*"}),
            "--allow-host: not a name like db.example, and no pattern stands for several: *");
}

TEST(CommandLine, LimitsHaveUnits) {
  EXPECT_EQ(ParseProgram({}).server.request_memory_bytes, 256 << 20);
  EXPECT_EQ(ParseProgram({"--request-memory", "1GB"}).server.request_memory_bytes, 1 << 30);
  EXPECT_EQ(ParseProgram({"serve", "--request-memory=32MB"}).server.request_memory_bytes, 32 << 20);
  EXPECT_NE(ProgramRefusal({"--request-memory", "1MB"}), "");
  EXPECT_EQ(ParseProgram({}).server.max_connections, 0);
  EXPECT_EQ(ParseProgram({"--max-connections", "5"}).server.max_connections, 5);
  EXPECT_NE(ProgramRefusal({"--max-connections", "0"}), "");
}

TEST(CommandLine, TheMemoryOfTheDataIsBounded) {
  EXPECT_EQ(ParseProgram({}).database.max_memory_bytes, -1);
  EXPECT_EQ(ParseProgram({"--max-memory", "2GB"}).database.max_memory_bytes, std::int64_t{2} << 30);
  EXPECT_EQ(ParseProgram({"serve", "--max-memory=16MB"}).database.max_memory_bytes, 16 << 20);
  EXPECT_EQ(ParseProgram({"--max-memory", "none"}).database.max_memory_bytes, 0);
  EXPECT_EQ(ParseProgram({"--max-memory", "0"}).database.max_memory_bytes, 0);
  EXPECT_EQ(ProgramRefusal({"--max-memory", "1MB"}), "--max-memory: less than 16MB: 1048576");
  EXPECT_NE(ProgramRefusal({"--max-memory", "much"}), "");
  EXPECT_NE(ProgramRefusal({"--max-memory", "-1"}), "");
}

TEST(CommandLine, ATimeHasAUnit) {
  EXPECT_EQ(ParseProgram({}).database.ttl_interval_ms, 1000);
  EXPECT_EQ(ParseProgram({"--ttl-interval", "500ms"}).database.ttl_interval_ms, 500);
  EXPECT_EQ(ParseProgram({"serve", "--ttl-interval=5m"}).database.ttl_interval_ms, 300'000);
  EXPECT_EQ(ParseProgram({"--ttl-interval", "1d"}).database.ttl_interval_ms, 86'400'000);
  EXPECT_EQ(ParseProgram({"--ttl-interval", "0"}).database.ttl_interval_ms, 0);
  for (const char* wrong : {"5", "1.5s", "1 s", "soon"}) {
    EXPECT_EQ(ProgramRefusal({"--ttl-interval", wrong}),
              std::string("--ttl-interval: ") + wrong +
                  R"( is not a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d")");
  }
  EXPECT_EQ(ProgramRefusal({"--ttl-interval", "2d"}), "--ttl-interval: 2d is longer than a day");
}

TEST(CommandLine, ASeedGoesIntoAnAccountAndARegion) {
  const CommandLine line = ParseProgram(
      {"--seed", "fixtures", "--seed-account", "111122223333", "--seed-region", "eu-west-1"});
  EXPECT_EQ(line.seed, "fixtures");
  EXPECT_EQ(line.seed_account, "111122223333");
  EXPECT_EQ(line.seed_region, "eu-west-1");
  for (const char* wrong : {"1", "11112222333a", "1111222233334"}) {
    EXPECT_EQ(ProgramRefusal({"--seed", "fixtures", "--seed-account", wrong}),
              std::string("--seed-account: not an account of 12 digits: ") + wrong);
  }
  EXPECT_EQ(ProgramRefusal({"--seed-account", "111122223333"}), "--seed-account requires --seed");
  EXPECT_EQ(ProgramRefusal({"--seed-region", "eu-west-1"}), "--seed-region requires --seed");
  EXPECT_EQ(ProgramRefusal({"--seed", "fixtures", "--seed-region", "us_X!"}),
            "--seed-region: not a Region like us-east-1: us_X!");
}

TEST(CommandLine, AParentMayBeNamed) {
  EXPECT_FALSE(ParseProgram({}).exits_with_parent);
  for (const bool with_command : {false, true}) {
    const auto parse = [&](const char* argument) {
      return with_command ? ParseProgram({"serve", argument}) : ParseProgram({argument});
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
    EXPECT_EQ(ProgramRefusal({argument.c_str()}),
              std::string("--exit-with-parent: not the number of a process: ") + wrong);
  }
}

TEST(CommandLine, TheConsoleIsOnUnlessTheUserSaysOtherwise) {
  EXPECT_EQ(ParseProgram({}).server.console, "on");
  EXPECT_EQ(ParseProgram({"--console", "read-only"}).server.console, "read-only");
  EXPECT_EQ(ParseProgram({"serve", "--console=off"}).server.console, "off");
  EXPECT_EQ(ProgramRefusal({"--console", "yes"}), "--console: yes not in {on,read-only,off}");
  EXPECT_EQ(ProgramRefusal({"--port", "1", "console"}),
            "write console first: hashrange console --port …");
}

std::vector<std::string> CommandNames(const CommandRow& command) {
  std::vector<std::string> names;
  for (const CommandRow& below : command.commands) names.push_back(below.Name());
  return names;
}

const CommandRow& Below(const CommandRow& command, const std::string& name) {
  return *std::ranges::find_if(command.commands,
                               [&](const CommandRow& below) { return below.Name() == name; });
}

// Calls visit(command, option) for each option and argument.
template <typename Visit>
void EachOption(const CommandRow& command, const Visit& visit) {
  for (const OptionRow& option : command.options) visit(command, option);
  for (const OptionRow& argument : command.arguments) visit(command, argument);
  for (const CommandRow& below : command.commands) EachOption(below, visit);
}

TEST(ProgramRows, AllCommandsAreThere) {
  const CommandRow program = DescribeProgram();
  EXPECT_EQ(
      CommandNames(program),
      (std::vector<std::string>{"serve", "healthcheck", "check", "compact", "repair", "console",
                                "copy", "ctl", "lab", "mcp", "completion", "man"}));
  const CommandRow& ctl = Below(program, "ctl");
  std::vector<std::string> rows = {"measure"};
  for (const CtlCommand& row : CtlCommands()) rows.emplace_back(row.name);
  EXPECT_THAT(CommandNames(ctl), testing::UnorderedElementsAreArray(rows));
  EXPECT_THAT(CommandNames(Below(ctl, "measure")),
              testing::ElementsAre("start", "list", "stop", "show", "report", "compare", "check",
                                   "what-if", "prices"));
  EXPECT_THAT(
      CommandNames(Below(program, "lab")),
      testing::ElementsAre("run", "explain", "check", "propose", "init", "import", "schema"));
}

TEST(ProgramRows, OptionsOfCtlFollowItsCommands) {
  const CommandRow program = DescribeProgram();
  const CommandRow& ctl = Below(program, "ctl");
  for (const CommandRow& command : {Below(ctl, "reset"), Below(Below(ctl, "measure"), "report")}) {
    std::vector<std::string> names;
    for (const OptionRow& option : command.inherited) names.push_back(option.name);
    EXPECT_THAT(names,
                testing::IsSupersetOf({"--endpoint", "--host", "--port", "--token", "--json"}))
        << command.path;
  }
}

TEST(ProgramRows, AllHasATextWithoutAFullStop) {
  EachOption(DescribeProgram(), [](const CommandRow& command, const auto& option) {
    EXPECT_FALSE(option.help.empty() || option.help.ends_with('.'))
        << command.path << " " << option.name;
    EXPECT_FALSE(command.help.empty()) << command.path;
  });
}

TEST(ProgramRows, TheHelpTellsTheWordsThatAShellOffers) {
  int offered = 0;
  EachOption(DescribeProgram(), [&](const CommandRow& command, const auto& option) {
    for (const std::string& word : option.rules.words) {
      ++offered;
      EXPECT_NE(option.help.find(word), std::string::npos)
          << command.path << " " << option.name << ": " << word;
    }
  });
  EXPECT_GT(offered, 20);
}

TEST(ProgramRows, FilesAndDirectoriesAreKnown) {
  std::vector<std::string> directories, files;
  EachOption(DescribeProgram(), [&](const CommandRow& command, const auto& option) {
    const std::string name = command.path + " " + option.name;
    if (option.offer() == OptionRow::Offer::kDirectories) directories.push_back(name);
    if (option.offer() == OptionRow::Offer::kFiles) files.push_back(name);
  });
  EXPECT_THAT(
      directories,
      testing::UnorderedElementsAre(
          "hashrange --data", "hashrange --kinesis-dir", "hashrange --files",
          "hashrange serve --data", "hashrange serve --kinesis-dir", "hashrange serve --files",
          "hashrange check DIR", "hashrange compact DIR", "hashrange repair DIR",
          "hashrange ctl backup DIR", "hashrange mcp --data", "hashrange mcp --reports"));
  EXPECT_THAT(
      files, testing::IsSupersetOf({"hashrange serve --seed", "hashrange ctl seed PATH",
                                    "hashrange ctl dump PATH", "hashrange ctl faults --file",
                                    "hashrange ctl measure stop --output",
                                    "hashrange ctl measure check BUDGETS", "hashrange lab run FILE",
                                    "hashrange lab run --json"}));
  EXPECT_THAT(files, testing::Not(testing::Contains("hashrange ctl get PATH")));
}

}  // namespace
}  // namespace hashrange
