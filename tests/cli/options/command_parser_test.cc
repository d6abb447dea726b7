// The messages of single options are tested with the command lines that have them; this tests what
// holds for rows of any kind.
#include "cli/options/command_parser.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hashrange {
namespace {

using Texts = std::vector<std::string>;

ParsedLine Parse(const CommandRow& row, std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  return ParseRows(row, static_cast<int>(arguments.size()), arguments.data());
}

std::string Wrong(const CommandRow& row, const std::vector<const char*>& arguments) {
  return Parse(row, arguments).wrong;
}

TEST(CommandParser, TargetsGetTheirValues) {
  bool flag = false;
  int number = 0;
  std::uint64_t bytes = 0;
  std::optional<double> share;
  std::optional<std::string> text, left_out;
  Texts list, arguments;
  std::string told;
  const CommandRow row{
      .path = "program",
      .arguments = {{"FILES", "", "", &arguments}},
      .options = {{"--flag", "", "", &flag, OptionRules{.short_name = "-f"}},
                  {"--number", "N", "", &number},
                  {"--bytes", "SIZE", "", &bytes, OptionRules{.form = OptionRules::Form::kSize}},
                  {"--share", "SHARE", "", &share},
                  {"--text", "TEXT", "", &text},
                  {"--json", "FILE", "", &left_out, OptionRules{.value_is_optional = true}},
                  {"--list", "A,B", "", &list, OptionRules{.splits_at_commas = true}},
                  {"--told", "TEXT", "", [&told](const std::string& given) { told = given; }}}};
  EXPECT_EQ(Wrong(row, {"-f", "--number", "7", "--bytes", "2kB", "--share", "0.5", "--text=a",
                        "--list", "a,b", "--list", "c", "one", "two", "--told", "b", "--json"}),
            "");
  EXPECT_TRUE(flag);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(bytes, 2048u);
  EXPECT_EQ(share, 0.5);
  EXPECT_EQ(text, "a");
  EXPECT_EQ(left_out, "");
  EXPECT_EQ(list, (Texts{"a", "b", "c"}));
  EXPECT_EQ(arguments, (Texts{"one", "two"}));
  EXPECT_EQ(told, "b");
}

TEST(CommandParser, ChecksSayWhatIsWrong) {
  int number = 0;
  std::string text;
  const auto refuse = [](const std::string& given) { return "not " + given; };
  const CommandRow row{
      .path = "program",
      .options = {
          {"--number", "N", "", &number, OptionRules{.range = NumberRange{1, 9}}},
          {"--level", "LEVEL", "", &text,
           OptionRules{.words = {"low", "high"}, .takes_only_words = true}},
          {"--when", "WHEN", "", &text, OptionRules{.words = {"now"}}},
          {"--never", "TEXT", "", kNoTarget, OptionRules{.check = refuse}},
          {"--joined", "PID", "", kNoTarget,
           OptionRules{.check = refuse, .value_is_optional = true, .value_is_joined = true}}}};
  EXPECT_EQ(Wrong(row, {"--number", "10"}), "--number: Value 10 not in range 1 to 9");
  EXPECT_EQ(Wrong(row, {"--number", "x"}), "--number: Value x not in range 1 to 9");
  EXPECT_EQ(Wrong(row, {"--level", "loud"}), "--level: loud not in {low,high}");
  EXPECT_EQ(Wrong(row, {"--level"}), "--level: 1 required LEVEL:{low,high} missing");
  EXPECT_EQ(Wrong(row, {"--when", "later"}), "");  // the words are only offered
  EXPECT_EQ(text, "later");
  EXPECT_EQ(Wrong(row, {"--never", "a"}), "--never: not a");
  EXPECT_EQ(Wrong(row, {"--joined=a"}), "--joined: not a");
  EXPECT_EQ(Wrong(row, {"--joined", "a"}), "--joined: not true");
}

TEST(CommandParser, OptionsNeedAndExcludeOthers) {
  std::string text;
  const CommandRow row{.path = "program",
                       .options = {{"--a", "TEXT", "", &text},
                                   {"--b", "TEXT", "", &text, OptionRules{.excludes = {"--a"}}},
                                   {"--c", "TEXT", "", &text, OptionRules{.needs = {"--a"}}},
                                   {"--d", "TEXT", "", &text, OptionRules{.is_required = true}}}};
  EXPECT_EQ(Wrong(row, {}), "--d is required");
  EXPECT_EQ(Wrong(row, {"--d", "1", "--c", "2"}), "--c requires --a");
  EXPECT_EQ(Wrong(row, {"--a", "1", "--b", "2", "--d", "3"}), "--a excludes --b");
}

TEST(CommandParser, CommandsAreNamedOrAskedFor) {
  const CommandRow row{.path = "program",
                       .options = {{"--own", ""}},
                       .commands = {{.path = "fork"},
                                    {.path = "measure",
                                     .commands = {{.path = "report", .options = {{"--html", ""}}}},
                                     .question = "which command of measure?"}},
                       .question = "which command?",
                       .hands_options_down = true,
                       .tells_unknown_first = true};
  EXPECT_EQ(Parse(row, {"measure", "report", "--own"}).commands, (Texts{"measure", "report"}));
  EXPECT_EQ(Wrong(row, {}), "which command?");
  EXPECT_EQ(Wrong(row, {"measure"}), "which command of measure?");
  EXPECT_EQ(Wrong(row, {"forkk"}), "unknown command \"forkk\"; did you mean fork?");
  EXPECT_EQ(Wrong(row, {"measure", "rport"}), "unknown command \"rport\"; did you mean report?");
  EXPECT_EQ(Wrong(row, {"--bogus"}), "unknown argument: --bogus");
  EXPECT_EQ(Wrong(row, {"fork", "measure"}), "unknown argument: measure");
  EXPECT_EQ(Parse(row, {"measure", "report", "x"}).commands, (Texts{"measure", "report"}));
}

TEST(CommandParser, AnUnknownOptionMayBeToldFirst) {
  int number = 0;
  CommandRow row{
      .path = "program",
      .options = {{"--number", "N", "", &number, OptionRules{.range = NumberRange{1, 9}}}}};
  EXPECT_EQ(Wrong(row, {"--bogus", "--number", "0"}), "--number: Value 0 not in range 1 to 9");
  row.tells_unknown_first = true;
  EXPECT_EQ(Wrong(row, {"--bogus", "--number", "0"}), "unknown argument: --bogus");
}

TEST(CommandParser, EmptyTextsAreRefusedUnlessTheRowTakesThem) {
  std::string text;
  CommandRow row{.path = "program", .options = {{"--text", "TEXT", "", &text}}};
  EXPECT_EQ(Wrong(row, {"--text", ""}), "--text is empty");
  EXPECT_EQ(Wrong(row, {"--text="}), "--text is empty");
  EXPECT_EQ(Wrong(row, {""}), "the command is empty");
  row.takes_empty_texts = true;
  EXPECT_EQ(Wrong(row, {"--text", ""}), "");
}

TEST(CommandParser, TheHelpOfTheGivenCommandAndTheVersionArePrinted) {
  const CommandRow row{.path = "program",
                       .commands = {{.path = "inner", .help = "Inner"}},
                       .version = "Program 1.2.3"};
  const auto printed = [&row](const std::vector<const char*>& arguments) {
    testing::internal::CaptureStdout();
    EXPECT_TRUE(Parse(row, arguments).is_printed);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(printed({"--version"}), "Program 1.2.3\n");
  EXPECT_EQ(printed({"inner", "-h"}),
            "Inner\n\nUsage: program inner [OPTIONS]\n\nOptions:\n"
            "  -h, --help                  Print this help message and exit\n");
}

}  // namespace
}  // namespace hashrange
