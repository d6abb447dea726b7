// Tests that the table of commands keeps its rules, and the request that each command sends.
#include "cli/ctl/ctl_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

TEST(CtlTable, CommandsAndOptionsAreUniqueAndHaveHelp) {
  std::set<std::string_view> commands;
  for (const CtlCommand& command : CtlCommands()) {
    EXPECT_TRUE(commands.insert(command.name).second) << command.name;
    EXPECT_STRNE(command.help, "");
    std::set<std::string_view> options;
    for (const CtlOption& option : command.options) {
      EXPECT_TRUE(options.insert(option.name).second) << command.name << " " << option.name;
      EXPECT_STRNE(option.help, "");
    }
  }
}

TEST(CtlTable, APathWithAStarHasOneNameOption) {
  for (const CtlCommand& command : CtlCommands()) {
    int names = 0;
    for (const CtlOption& option : command.options) {
      if (option.kind != CtlOption::Kind::kName) continue;
      ++names;
      EXPECT_TRUE(option.required) << command.name;
    }
    const bool has_star = std::string_view(command.path).find('*') != std::string_view::npos;
    EXPECT_EQ(names, has_star ? 1 : 0) << command.name;
  }
}

using Values = std::vector<std::pair<std::string_view, std::string>>;

GivenCommand Given(std::string_view command, const Values& values = {}) {
  GivenCommand given;
  for (const CtlCommand& row : CtlCommands()) {
    if (row.name == command) given.command = &row;
  }
  for (const auto& [name, value] : values) {
    for (const CtlOption& option : given.command->options) {
      if (option.name == name) given.options.push_back({&option, value});
    }
  }
  EXPECT_EQ(given.options.size(), values.size());
  return given;
}

// Returns a request such as "POST /_hashrange/fork {…}", or the error.
std::string Sent(const GivenCommand& given) {
  const Result<CtlRequest> request = MakeCtlRequest(given);
  if (!request.ok()) return request.error().message;
  const std::string line = request->method + " " + request->target;
  return request->body.empty() ? line : line + " " + request->body;
}

TEST(CtlRequest, OptionsAreMembersOfTheBody) {
  EXPECT_EQ(Sent(Given("reset", {{"--account", "111122223333"}, {"--simulation", ""}})),
            R"(POST /_hashrange/reset {"account":"111122223333","simulation":true})");
  EXPECT_EQ(Sent(Given("fork", {{"FROM", "111122223333"}, {"TO", "444455556666"}})),
            R"(POST /_hashrange/fork {"from":"111122223333","to":"444455556666"})");
  EXPECT_EQ(Sent(Given("snapshot", {{"NAME", "say \"hi\""}})),
            R"(POST /_hashrange/snapshots {"name":"say \"hi\""})");
  EXPECT_EQ(Sent(Given("reset")), "POST /_hashrange/reset {}");
}

TEST(CtlRequest, ValuesAreJsonWhereTheyAreJson) {
  EXPECT_EQ(Sent(Given("clock", {{"--freeze", ""}, {"--advance", "2d"}})),
            R"(POST /_hashrange/clock {"frozen":true,"advance":"2d"})");
  EXPECT_EQ(Sent(Given("clock", {{"--freeze", "2026-01-01T00:00:00Z"}})),
            R"(POST /_hashrange/clock {"frozen":"2026-01-01T00:00:00Z"})");
  EXPECT_EQ(Sent(Given("clock", {{"--scale", "60"}})), R"(POST /_hashrange/clock {"scale":60})");
  EXPECT_EQ(Sent(Given("consistency", {{"--table", "5"}, {"--index-lag", R"({"min":"1ms"})"}})),
            R"(POST /_hashrange/consistency {"table":"5","index_lag":{"min":"1ms"}})");
  EXPECT_EQ(Sent(Given("hold", {{"--table", "app"}, {"--key", R"({"PK":{"S":"a"}})"}})),
            R"(POST /_hashrange/holds {"table":"app","key":{"PK":{"S":"a"}}})");
  EXPECT_EQ(Sent(Given("hold", {{"--table", "app"}, {"--key", "PK=a"}})), "--key is not JSON");
  EXPECT_EQ(Sent(Given("partitions", {{"--table", "app"},
                                      {"--mode", "enforce"},
                                      {"--seed", "7"},
                                      {"--parameters", R"({"write_units":5})"}})),
            R"(POST /_hashrange/partitions {"table":"app","mode":"enforce","seed":7,)"
            R"("parameters":{"write_units":5}})");
  EXPECT_EQ(Sent(Given("partitions", {{"--mode", "watch"}, {"--parameters", "write_units=5"}})),
            "--parameters is not JSON");
}

TEST(CtlRequest, WithoutMembersSomeCommandsSendGet) {
  EXPECT_EQ(Sent(Given("info")), "GET /_hashrange/");
  EXPECT_EQ(Sent(Given("clock")), "GET /_hashrange/clock");
  EXPECT_EQ(Sent(Given("faults")), "GET /_hashrange/faults");
  EXPECT_EQ(Sent(Given("partitions")), "GET /_hashrange/partitions");
  EXPECT_EQ(Sent(Given("requests", {{"--table", "a b"}, {"--since", "7"}})),
            "GET /_hashrange/requests?table=a%20b&since=7");
  EXPECT_EQ(Sent(Given("requests", {{"--enable", ""}, {"--limit", "5"}})),
            R"(POST /_hashrange/requests {"enabled":true,"limit":5})");
  EXPECT_EQ(Sent(Given("requests", {{"--disable", ""}})),
            R"(POST /_hashrange/requests {"enabled":false})");
}

TEST(CtlRequest, AListIsFollowedFromItsEndOrFromACall) {
  GivenCommand given = Given("requests", {{"--table", "app"}});
  EXPECT_EQ(TakeFollowStart(&given), std::nullopt);
  given = Given("requests", {{"--follow", ""}, {"--table", "app"}});
  EXPECT_EQ(TakeFollowStart(&given), "");
  EXPECT_EQ(Sent(given), "GET /_hashrange/requests?table=app");
  given = Given("requests", {{"--since", "7"}, {"--follow", ""}});
  EXPECT_EQ(TakeFollowStart(&given), "7");
  EXPECT_EQ(Sent(given), "GET /_hashrange/requests");
}

TEST(CtlRequest, NamesStandInThePath) {
  EXPECT_EQ(Sent(Given("restore", {{"NAME", "a/b"}})),
            "POST /_hashrange/snapshots/a%2Fb/restore {}");
  GivenCommand given = Given("faults");
  given.deletes = true;
  EXPECT_EQ(Sent(given), "DELETE /_hashrange/faults");
  given.deleted = "3";
  EXPECT_EQ(Sent(given), "DELETE /_hashrange/faults/3");
  given.options = Given("faults", {{"--seed", "1"}}).options;
  EXPECT_EQ(Sent(given), "--delete changes nothing else");
}

TEST(CtlRequest, ADeletionSendsTheScopeOfItsOptions) {
  const auto deletion = [](std::string_view command, const Values& values) {
    GivenCommand given = Given(command, values);
    given.deletes = true;
    return Sent(given);
  };
  const Values scope = {{"--account", "111122223333"}, {"--table", "app"}};
  const std::string body = R"( {"account":"111122223333","table":"app"})";
  for (const char* const command : {"consistency", "throughput", "partitions"}) {
    const std::string line = std::string("DELETE /_hashrange/") + command;
    EXPECT_EQ(deletion(command, {}), line);
    EXPECT_EQ(deletion(command, scope), line + body);
  }
  EXPECT_EQ(deletion("requests", scope),
            "DELETE /_hashrange/requests?account=111122223333&table=app");
  EXPECT_EQ(deletion("partitions", {{"--table", "app"}, {"--mode", "watch"}}),
            "--delete changes nothing else");
}

TEST(CtlRequest, AScopeAloneIsTheQueryOfAGetOfPartitions) {
  EXPECT_EQ(Sent(Given("partitions", {{"--account", "111122223333"}, {"--table", "a b"}})),
            "GET /_hashrange/partitions?account=111122223333&table=a%20b");
  EXPECT_EQ(Sent(Given("throughput", {{"--table", "app"}})),
            R"(POST /_hashrange/throughput {"table":"app"})");
}

TEST(CtlRequest, AnyPathCanBeAsked) {
  EXPECT_EQ(Sent(Given("get", {{"PATH", "requests?table=app"}})),
            "GET /_hashrange/requests?table=app");
  EXPECT_EQ(Sent(Given("get", {{"PATH", "/_hashrange/clock"}})), "GET /_hashrange/clock");
  EXPECT_EQ(Sent(Given("delete", {{"PATH", "faults"}})), "DELETE /_hashrange/faults");
  EXPECT_EQ(Sent(Given("post", {{"PATH", "clock"}, {"JSON", R"({"scale":2})"}})),
            R"(POST /_hashrange/clock {"scale":2})");
  EXPECT_EQ(Sent(Given("post", {{"PATH", "reset"}})), "POST /_hashrange/reset {}");
}

TEST(CtlRequest, FilesAreReadAndPathsAreAbsolute) {
  const std::string file = testing::TempDir() + "ctl_request_test.json";
  std::ofstream(file) << R"({"rules":[]})";
  EXPECT_EQ(Sent(Given("faults", {{"--file", file}})), R"(POST /_hashrange/faults {"rules":[]})");
  EXPECT_EQ(Sent(Given("faults", {{"--file", file}, {"--seed", "1"}})),
            "a file or text that is the whole body goes with no other option");
  EXPECT_EQ(Sent(Given("seed", {{"PATH", "data"}, {"--definition", file}})),
            R"(POST /_hashrange/seed {"path":")" +
                (std::filesystem::current_path() / "data").string() +
                R"(","definition":{"rules":[]}})");
  std::ofstream(file) << "{";
  EXPECT_EQ(Sent(Given("faults", {{"--file", file}})), file + " is not JSON");
  std::filesystem::remove(file);
  EXPECT_EQ(Sent(Given("faults", {{"--file", file}})),
            "cannot read " + file + ": No such file or directory");
}

}  // namespace
}  // namespace hashrange
