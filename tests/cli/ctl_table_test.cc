// Tests that the table of commands keeps its rules.
#include "cli/ctl_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

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

}  // namespace
}  // namespace hashrange
