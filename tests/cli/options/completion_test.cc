// What the scripts do in a shell is tested with the shells: conformance/program/test_completion.py.
#include "cli/options/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hashrange {
namespace {

using testing::HasSubstr;

CommandRow CompletedProgram() {
  static std::vector<std::string> texts;
  return {
      .path = "hashrange",
      .commands = {{.path = "hashrange what-if",
                    .help = "The user's: question",
                    .arguments = {{"FILES", "FILE", "", &texts, OptionRules{.is_required = true}}},
                    .options = {{"--level", "LEVEL", "How [loud] it's; very", kNoTarget,
                                 OptionRules{.short_name = "-l", .words = {"low", "high"}}},
                                {"--flag", "", "A flag"}}}}};
}

TEST(Completion, QuotesAreKept) { EXPECT_EQ(ShellQuoted("it's \\"), R"('it'\''s \')"); }

TEST(Completion, BashKnowsTheValuesOfOptions) {
  EXPECT_THAT(BashCompletion(CompletedProgram()), HasSubstr("    'hashrange what-if')\n"
                                                            "      commands=''\n"
                                                            "      options='-l low high\n"
                                                            "--level low high\n"
                                                            "--flag'\n"
                                                            "      arguments='<files> ...'\n"
                                                            "      ;;\n"));
}

TEST(Completion, ZshEscapesTexts) {
  const std::string script = ZshCompletion(CompletedProgram());
  EXPECT_TRUE(script.starts_with("#compdef hashrange\n"));
  EXPECT_THAT(script,
              HasSubstr(R"(    '(-l --level)--level=[How \[loud\] it'\''s]:LEVEL:(low high)')"));
  EXPECT_THAT(script, HasSubstr("    '(-l --level)-l+["));
  EXPECT_THAT(script, HasSubstr("    '(--flag)--flag[A flag]'"));
  EXPECT_THAT(script, HasSubstr("    '*:FILES:_files'"));
  EXPECT_THAT(script, HasSubstr(R"('what-if:The user'\''s')"));
}

TEST(Completion, FishEscapesTexts) {
  const std::string script = FishCompletion(CompletedProgram());
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
