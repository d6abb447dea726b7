#include "cli/program_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/ctl_measure.h"
#include "cli/ctl_table.h"

namespace hashrange {
namespace {

using testing::IsSupersetOf;

std::vector<std::string> CommandNames(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const CommandDescription& below : command.commands) names.push_back(below.Name());
  return names;
}

const CommandDescription& Below(const CommandDescription& command, const std::string& name) {
  return *std::ranges::find_if(
      command.commands, [&](const CommandDescription& below) { return below.Name() == name; });
}

// Calls visit(command, option) for each option and argument.
template <typename Visit>
void EachOption(const CommandDescription& command, const Visit& visit) {
  for (const OptionDescription& option : command.options) visit(command, option);
  for (const OptionDescription& argument : command.arguments) visit(command, argument);
  for (const CommandDescription& below : command.commands) EachOption(below, visit);
}

TEST(ProgramDescription, AllCommandsAreThere) {
  const CommandDescription program = DescribeProgram();
  EXPECT_EQ(CommandNames(program),
            (std::vector<std::string>{"serve", "healthcheck", "check", "compact", "repair", "copy",
                                      "ctl", "lab", "mcp", "completion", "man"}));
  const CommandDescription& ctl = Below(program, "ctl");
  std::vector<std::string> rows = {"measure"};
  for (const CtlCommand& row : CtlCommands()) rows.emplace_back(row.name);
  EXPECT_THAT(CommandNames(ctl), testing::UnorderedElementsAreArray(rows));
  const auto measures = MeasureCommand::Names();
  EXPECT_THAT(CommandNames(Below(ctl, "measure")),
              testing::ElementsAreArray(measures.begin(), measures.end()));
  EXPECT_THAT(CommandNames(Below(program, "lab")),
              testing::ElementsAre("run", "explain", "check", "init", "import", "schema"));
}

TEST(ProgramDescription, OptionsOfCtlFollowItsCommands) {
  const CommandDescription program = DescribeProgram();
  const CommandDescription& ctl = Below(program, "ctl");
  for (const CommandDescription& command :
       {Below(ctl, "reset"), Below(Below(ctl, "measure"), "report")}) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.inherited) names.push_back(option.names.back());
    EXPECT_THAT(names, IsSupersetOf({"--endpoint", "--host", "--port", "--token", "--json"}))
        << command.path;
  }
}

TEST(ProgramDescription, AllHasATextWithoutAFullStop) {
  EachOption(DescribeProgram(), [](const CommandDescription& command, const auto& option) {
    EXPECT_FALSE(option.help.empty() || option.help.ends_with('.'))
        << command.path << " " << option.names.back();
    EXPECT_FALSE(command.help.empty()) << command.path;
  });
}

TEST(ProgramDescription, TheHelpTellsTheWordsThatAShellOffers) {
  int offered = 0;
  EachOption(DescribeProgram(), [&](const CommandDescription& command, const auto& option) {
    for (const std::string& word : option.words) {
      ++offered;
      EXPECT_NE(option.help.find(word), std::string::npos)
          << command.path << " " << option.names.back() << ": " << word;
    }
  });
  EXPECT_GT(offered, 20);
}

TEST(ProgramDescription, FilesAndDirectoriesAreKnown) {
  using Offer = OptionDescription::Offer;
  std::vector<std::string> directories, files;
  EachOption(DescribeProgram(), [&](const CommandDescription& command, const auto& option) {
    const std::string name = command.path + " " + option.names.back();
    if (option.offer == Offer::kDirectories) directories.push_back(name);
    if (option.offer == Offer::kFiles) files.push_back(name);
  });
  EXPECT_THAT(directories,
              testing::UnorderedElementsAre("hashrange --data", "hashrange --files",
                                            "hashrange serve --data", "hashrange serve --files",
                                            "hashrange check DIR", "hashrange compact DIR",
                                            "hashrange repair DIR", "hashrange ctl backup DIR",
                                            "hashrange mcp --data", "hashrange mcp --reports"));
  EXPECT_THAT(files, IsSupersetOf({"hashrange serve --seed", "hashrange ctl seed PATH",
                                   "hashrange ctl dump PATH", "hashrange ctl faults --file",
                                   "hashrange ctl measure stop --output",
                                   "hashrange ctl measure check BUDGETS", "hashrange lab run FILE",
                                   "hashrange lab run --json"}));
  EXPECT_THAT(files, testing::Not(testing::Contains("hashrange ctl get PATH")));
}

}  // namespace
}  // namespace hashrange
