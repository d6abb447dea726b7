#include "cli/options/command_row.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hashrange {
namespace {

using Names = std::vector<std::string>;
using Offer = OptionRow::Offer;

Names LastNames(const std::vector<OptionRow>& options) {
  Names names;
  for (const OptionRow& option : options) names.push_back(option.name);
  return names;
}

TEST(CommandRow, AShellOffersWhatTheNameOfAValueSays) {
  EXPECT_EQ((OptionRow{"--output", "FILE"}).offer(), Offer::kFiles);
  EXPECT_EQ((OptionRow{"--data", "DIR"}).offer(), Offer::kDirectories);
  EXPECT_EQ((OptionRow{"--port", "PORT"}).offer(), Offer::kNothing);
  EXPECT_EQ((OptionRow{"--level", "FILE", "", kNoTarget, OptionRules{.words = {"low"}}}).offer(),
            Offer::kWords);
  EXPECT_EQ((OptionRow{"DIR"}).offer(), Offer::kDirectories);
  EXPECT_EQ((OptionRow{"PATH", "TEXT"}).offer(), Offer::kNothing);
}

TEST(CommandRow, AnArgumentHasNoDashesAndAFlagHasNoValue) {
  const OptionRow argument{"FILE", "TEXT"};
  EXPECT_TRUE(argument.is_argument());
  EXPECT_FALSE(argument.takes_value());
  const OptionRow flag{"--flag"};
  EXPECT_FALSE(flag.is_argument() || flag.takes_value() || flag.may_repeat());
  std::vector<std::string> texts;
  const OptionRow list{"--list", "TEXT", "", &texts, OptionRules{.short_name = "-l"}};
  EXPECT_TRUE(list.takes_value() && list.may_repeat());
}

TEST(CommandRow, AnExclusionHoldsForBothOptions) {
  const CommandRow row = CompleteRow(
      {.path = "program",
       .options = {{"--b", ""},
                   {"--a", ""},
                   {"--c", "", "", kNoTarget, OptionRules{.excludes = {"--a"}}},
                   {"--d", "", "", kNoTarget, OptionRules{.excludes = {"--b", "--a"}}}}});
  EXPECT_EQ(LastNames(row.options), (Names{"--help", "--b", "--a", "--c", "--d"}));
  EXPECT_EQ(row.options[1].rules.excludes, (Names{"--d"}));
  EXPECT_EQ(row.options[2].rules.excludes, (Names{"--c", "--d"}));
  EXPECT_EQ(row.options[3].rules.excludes, (Names{"--a"}));
  EXPECT_EQ(row.options[4].rules.excludes, (Names{"--a", "--b"}));
}

TEST(CommandRow, CommandsHavePathsAndInheritWhatIsHandedDown) {
  const CommandRow program =
      CompleteRow({.path = "program",
                   .commands = {{.path = "plain", .options = {{"--own", ""}}},
                                {.path = "outer",
                                 .options = {{"--endpoint", ""}},
                                 .commands = {{.path = "inner", .options = {{"--own", ""}}}},
                                 .hands_options_down = true}},
                   .version = "1.2.3"});
  EXPECT_EQ(LastNames(program.options), (Names{"--help", "--version"}));
  EXPECT_EQ(program.commands[0].path, "program plain");
  EXPECT_EQ(LastNames(program.commands[0].AllOptions()), (Names{"--help", "--own"}));
  const CommandRow& inner = program.commands[1].commands[0];
  EXPECT_EQ(inner.path, "program outer inner");
  EXPECT_EQ(inner.Name(), "inner");
  EXPECT_EQ(LastNames(inner.options), (Names{"--help", "--own"}));
  EXPECT_EQ(LastNames(inner.AllOptions()), (Names{"--help", "--own", "--endpoint"}));
}

}  // namespace
}  // namespace hashrange
