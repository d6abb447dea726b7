#include "cli/command_description.h"

#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

namespace hashrange {
namespace {

using Names = std::vector<std::string>;
using Offer = OptionDescription::Offer;

// The options of a parser without its help.
std::vector<OptionDescription> Options(const CLI::App& app) {
  std::vector<OptionDescription> options = DescribeCommand(app, "program").options;
  options.erase(options.begin());
  return options;
}

TEST(CommandDescription, AnOptionHasItsNamesItsValueAndItsText) {
  CLI::App app;
  std::string text;
  app.add_option("-o,--output", text, "Write to this file")->type_name("FILE")->required();
  const OptionDescription option = Options(app).at(0);
  EXPECT_EQ(option.names, (Names{"-o", "--output"}));
  EXPECT_EQ(option.value, "FILE");
  EXPECT_EQ(option.help, "Write to this file");
  EXPECT_EQ(option.offer, Offer::kFiles);
  EXPECT_TRUE(option.is_required && option.takes_value());
  EXPECT_FALSE(option.is_argument || option.may_repeat || option.value_is_optional);
}

TEST(CommandDescription, AFlagHasNoValueUnlessItsTypeSaysSo) {
  CLI::App app;
  bool flag = false;
  app.add_flag("--flag", flag, "Text");
  app.add_flag("--joined")->type_name("[=PID]");
  const auto options = Options(app);
  EXPECT_FALSE(options.at(0).takes_value());
  EXPECT_EQ(options.at(0).default_value, "");
  EXPECT_EQ(options.at(1).value, "PID");
  EXPECT_TRUE(options.at(1).value_is_optional && options.at(1).value_is_joined);
}

TEST(CommandDescription, AValueMayBeLeftOutRepeatedAndHaveADefault) {
  CLI::App app;
  std::string text;
  int number = 7;
  std::vector<std::string> texts;
  app.add_option("--json", text)->type_name("[FILE]")->expected(0, 1);
  app.add_option("--number", number)->type_name("N")->capture_default_str();
  app.add_option("--each", texts)->type_name("NAME")->allow_extra_args(false);
  const auto options = Options(app);
  EXPECT_EQ(options.at(0).value, "FILE");
  EXPECT_TRUE(options.at(0).value_is_optional);
  EXPECT_FALSE(options.at(0).value_is_joined);
  EXPECT_EQ(options.at(1).default_value, "7");
  EXPECT_FALSE(options.at(1).may_repeat);
  EXPECT_TRUE(options.at(2).may_repeat);
}

TEST(CommandDescription, WordsAreThoseOfTheCheck) {
  CLI::App app;
  std::string text;
  app.add_option("--level", text)->type_name("LEVEL")->check(CLI::IsMember({"low", "high"}));
  app.add_option("--when", text)->type_name("WHEN")->check(CLI::Validator("{now}"));
  app.add_option("--hidden", text)->type_name("N")->check(CLI::Range(1, 2).description(""));
  const auto options = Options(app);
  EXPECT_EQ(options.at(0).value, "LEVEL");
  EXPECT_EQ(options.at(0).words, (Names{"low", "high"}));
  EXPECT_EQ(options.at(0).offer, Offer::kWords);
  EXPECT_EQ(options.at(1).words, (Names{"now"}));
  EXPECT_EQ(options.at(2).value, "N");
  EXPECT_EQ(options.at(2).offer, Offer::kNothing);
}

TEST(CommandDescription, OptionsNeedAndExcludeOthersByName) {
  CLI::App app;
  std::string text;
  CLI::Option* const b = app.add_option("--b", text);
  CLI::Option* const a = app.add_option("--a", text);
  app.add_option("--c", text)->needs(b)->excludes(a);
  app.add_option("--d", text)->excludes(b)->excludes(a);
  const auto options = Options(app);
  EXPECT_EQ(options.at(2).needs, (Names{"--b"}));
  EXPECT_EQ(options.at(2).excludes, (Names{"--a"}));
  EXPECT_EQ(options.at(3).excludes, (Names{"--a", "--b"}));
}

TEST(CommandDescription, ArgumentsAreApart) {
  CLI::App app;
  std::string text;
  app.add_option("DIR", text, "A directory")->required()->type_name("");
  app.add_option("PATH", text)->type_name("TEXT");
  const CommandDescription command = DescribeCommand(app, "program");
  EXPECT_EQ(command.options.size(), 1u);  // --help
  EXPECT_EQ(command.arguments.at(0).names, (Names{"DIR"}));
  EXPECT_EQ(command.arguments.at(0).offer, Offer::kDirectories);
  EXPECT_TRUE(command.arguments.at(0).is_argument && command.arguments.at(0).is_required);
  EXPECT_EQ(command.arguments.at(1).offer, Offer::kNothing);  // its type says that it is no file
}

TEST(CommandDescription, CommandsHavePathsAndInheritWhatFallsThrough) {
  CLI::App app;
  std::string text;
  app.footer("above");
  CLI::App* const plain = app.add_subcommand("plain", "Without");
  plain->footer("its own");
  app.fallthrough();
  app.require_subcommand(1);
  app.add_option("--endpoint", text)->type_name("URL");
  CLI::App* const outer = app.add_subcommand("outer", "Outer");
  outer->add_subcommand("inner", "Inner")->add_option("--own", text);
  const CommandDescription program = DescribeCommand(app, "program");
  EXPECT_TRUE(program.needs_command);
  EXPECT_EQ(program.commands.at(0).path, "program plain");
  EXPECT_EQ(program.commands.at(0).footer, "its own");
  EXPECT_TRUE(program.commands.at(0).inherited.empty());
  const CommandDescription& inner = program.commands.at(1).commands.at(0);
  EXPECT_EQ(inner.path, "program outer inner");
  EXPECT_EQ(inner.Name(), "inner");
  EXPECT_EQ(inner.help, "Inner");
  EXPECT_EQ(inner.footer, "");
  Names names;
  for (const OptionDescription& option : inner.AllOptions()) names.push_back(option.names.back());
  EXPECT_EQ(names, (Names{"--help", "--own", "--endpoint"}));
}

}  // namespace
}  // namespace hashrange
