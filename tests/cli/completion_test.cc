// What the scripts do in a shell is tested with the shells: conformance/program/test_completion.py.
#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

using testing::HasSubstr;
using Offer = OptionDescription::Offer;

CommandDescription MadeUpProgram() {
  CommandDescription program;
  program.path = "hashrange";
  CommandDescription command;
  command.path = "hashrange what-if";
  command.help = "The user's: question";
  OptionDescription level;
  level.names = {"-l", "--level"};
  level.value = "LEVEL";
  level.help = "How [loud] it's; very";
  level.offer = Offer::kWords;
  level.words = {"low", "high"};
  OptionDescription flag;
  flag.names = {"--flag"};
  flag.help = "A flag";
  OptionDescription files;
  files.names = {"FILES"};
  files.is_argument = files.is_required = files.may_repeat = true;
  files.offer = Offer::kFiles;
  command.options = {level, flag};
  command.arguments = {files};
  program.commands = {command};
  return program;
}

TEST(Completion, QuotesAreKept) { EXPECT_EQ(ShellQuoted("it's \\"), R"('it'\''s \')"); }

TEST(Completion, BashKnowsTheValuesOfOptions) {
  EXPECT_THAT(BashCompletion(MadeUpProgram()), HasSubstr("    'hashrange what-if')\n"
                                                         "      commands=''\n"
                                                         "      options='-l low high\n"
                                                         "--level low high\n"
                                                         "--flag'\n"
                                                         "      arguments='<files> ...'\n"
                                                         "      ;;\n"));
}

TEST(Completion, ZshEscapesTexts) {
  const std::string script = ZshCompletion(MadeUpProgram());
  EXPECT_TRUE(script.starts_with("#compdef hashrange\n"));
  EXPECT_THAT(script,
              HasSubstr(R"(    '(-l --level)--level=[How \[loud\] it'\''s]:LEVEL:(low high)')"));
  EXPECT_THAT(script, HasSubstr("    '(-l --level)-l+["));
  EXPECT_THAT(script, HasSubstr("    '(--flag)--flag[A flag]'"));
  EXPECT_THAT(script, HasSubstr("    '*:FILES:_files'"));
  EXPECT_THAT(script, HasSubstr(R"('what-if:The user'\''s')"));
}

TEST(Completion, FishEscapesTexts) {
  const std::string script = FishCompletion(MadeUpProgram());
  const std::string at = R"(complete -c hashrange -n '__hashrange_at \'hashrange what-if\'')";
  EXPECT_THAT(script,
              HasSubstr(at + R"( -s l -l level -r -f -a 'low high' -d 'How [loud] it\'s')"));
  EXPECT_THAT(script, HasSubstr(at + " -l flag -d 'A flag'\n"));
  EXPECT_THAT(script, HasSubstr(at + " -F\n"));
  EXPECT_THAT(script, HasSubstr(R"(set -g __hashrange_commands \
    'hashrange what-if')"));
  EXPECT_THAT(script, HasSubstr(R"(set -g __hashrange_valued \
    'hashrange what-if -l' \
    'hashrange what-if --level')"));
}

}  // namespace
}  // namespace hashrange
