#include "cli/option_text.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

OptionDescription Argument(const char* name) {
  OptionDescription argument;
  argument.names = {name};
  argument.is_argument = true;
  return argument;
}

TEST(OptionText, AnOptionIsWrittenWithItsValue) {
  OptionDescription option;
  option.names = {"-o", "--output"};
  EXPECT_EQ(OptionForm(option), "-o, --output");
  option.value = "FILE";
  EXPECT_EQ(OptionForm(option), "-o, --output FILE");
  option.value_is_optional = true;
  EXPECT_EQ(OptionForm(option), "-o, --output [FILE]");
  option.value_is_joined = true;
  EXPECT_EQ(OptionForm(option), "-o, --output[=FILE]");
}

TEST(OptionText, AUsageHasArgumentsAndCommands) {
  CommandDescription command;
  command.path = "hashrange lab";
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS]");
  command.arguments = {Argument("FILE"), Argument("TO")};
  command.arguments[0].is_required = true;
  command.arguments[1].may_repeat = true;
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS] FILE [TO...]");
  command.arguments = {};
  command.commands.resize(1);
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS] [COMMAND]");
  command.needs_command = true;
  EXPECT_EQ(UsageOf(command), "hashrange lab [OPTIONS] COMMAND");
}

TEST(OptionText, NotesFollowTheHelp) {
  OptionDescription option;
  option.names = {"--a"};
  option.value = "N";
  option.help = "Text";
  EXPECT_EQ(OptionText(option), "Text");
  option.default_value = "7";
  EXPECT_EQ(OptionText(option), "Text (default: 7)");
  option.may_repeat = true;
  option.is_required = true;
  option.needs = {"--b"};
  option.excludes = {"--c", "--d"};
  const std::string others =
      "required; may be given several times; needs --b; not with --c or --d)";
  EXPECT_EQ(OptionText(option), "Text (default: 7; " + others);
  option.default_value = "";
  option.help = "Text (default: one per core)";
  EXPECT_EQ(OptionText(option), "Text (default: one per core; " + others);
  option.is_argument = true;
  EXPECT_EQ(OptionText(option), "Text (default: one per core; needs --b; not with --c or --d)");
}

TEST(OptionText, TheFirstClauseEndsAtAStop) {
  EXPECT_EQ(FirstClause("Listen here; 0 picks a free one"), "Listen here");
  EXPECT_EQ(FirstClause("How often: 1s, 5m"), "How often");
  EXPECT_EQ(FirstClause("Threads (default: one per core)"), "Threads");
  EXPECT_EQ(FirstClause("One. Two: three"), "One");
  EXPECT_EQ(FirstClause("http://HOST:PORT and 1.5"), "http://HOST:PORT and 1.5");
}

}  // namespace
}  // namespace hashrange
