#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "lab/report/lab_example.h"
#include "lab/report/lab_report.h"
#include "measure/report/readable_text.h"
#include "support/golden_text.h"

namespace hashrange {
namespace {

TEST(LabTextReport, TwoLayoutsAreOnOneScreen) {
  const std::string text = LabTextReport(ShopLab(), ShopLabResult(), {.columns = 100});
  ExpectGolden("tests/lab/report/golden/two.txt", text);
}

TEST(LabTextReport, ScalesAreBesideOneAnother) {
  ExpectGolden("tests/lab/report/golden/scales.txt",
               LabTextReport(ShopLab(), ShopLabAtTwoScales(), {.columns = 100}));
}

TEST(LabTextReport, CallsAtAnEndpointAreBesideTheModel) {
  const std::string text = LabTextReport(ShopLab(), ShopLabAtEndpoint(), {.columns = 100});
  const std::size_t begin = text.find("At http://127.0.0.1:8000");
  ASSERT_NE(begin, text.npos);
  const std::size_t end = text.find("\nWhat breaks first\n");
  ExpectGolden("tests/lab/report/golden/endpoint.txt", text.substr(begin, end - begin));
  // All else is as without an endpoint.
  std::string rest = text;
  rest.erase(begin, end + 1 - begin);
  EXPECT_EQ(rest, LabTextReport(ShopLab(), ShopLabResult(), {.columns = 100}));
}

TEST(LabTextReport, APatternThatFailsAtAGreaterScaleOnlyIsShown) {
  LabResult result = ShopLabAtTwoScales();
  PatternRun& sign_up = result.runs[1].patterns[3];
  sign_up.failed = sign_up.calls;
  sign_up.read_units = sign_up.write_units = {};
  const std::string text = LabTextReport(ShopLab(), result, {.columns = 100});
  for (const char* const part :
       {"\none key                 × 1              × 10\n",
        "\nsign up              5.05 w  all calls failed\n",
        "\n3 patterns take the same units at each scale\n",
        "- \"sign up\" in \"one key\" at scale 10 had no call that succeeded, so its units are"}) {
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  }
}

TEST(LabTextReport, CallsThatFailedMakeFiguresDoubtful) {
  LabResult result = ShopLabResult();
  result.runs[0].patterns[3].failed = 400;
  const std::string text = LabTextReport(ShopLab(), result, {.columns = 400});
  EXPECT_NE(
      text.find("- Calls were throttled until they failed in \"one key\". Calls of few units, "
                "and of keys that are not hot, fail less, so units a call are too small, and "
                "the month with them, and the first limit is too high. Run traffic at the "
                "declared rates for these figures.\n"),
      text.npos)
      << text;
}

TEST(LabTextReport, OneLayoutHasAReport) {
  LabResult result = ShopLabResult();
  result.runs.pop_back();
  ExpectGolden("tests/lab/report/golden/one.txt",
               LabTextReport(ShopLab(), result, {.columns = 100}));
}

TEST(LabTextReport, ManyLayoutsAreInSeveralTables) {
  LabResult result = ShopLabResult();
  for (const char* const name : {"third", "fourth", "fifth"}) {
    result.runs.push_back(result.runs[1]);
    result.runs.back().layout = name;
  }
  ExpectGolden("tests/lab/report/golden/five.txt",
               LabTextReport(ShopLab(), result, {.columns = 100}));
}

TEST(LabTextReport, LimitsThatDoNotHoldAreTold) {
  LabFile file = ShopLab();
  file.limits_of_all.headroom = 5;
  file.limits[1].month_usd = 100;
  const std::string text = LabTextReport(file, ShopLabResult(), {.columns = 100});
  EXPECT_NE(text.find("\nLimits of the file: 2 do not hold\n"), text.npos) << text;
}

TEST(LabTextReport, FirstErrorOfAPatternIsANote) {
  LabResult result = ShopLabAtTwoScales();
  result.runs[1].patterns[3].error = "PutItem was answered by ValidationException: too large";
  const std::string text = LabTextReport(ShopLab(), result, {.columns = 200});
  EXPECT_NE(
      text.find("\n- \"sign up\" in \"one key\" at scale 10 had calls that failed by an error. "
                "The first: PutItem was answered by ValidationException: too large.\n"),
      text.npos)
      << text;
}

TEST(LabTextReport, StoppedRunsSaySo) {
  LabResult result = ShopLabResult();
  result.thin = 10;
  for (LayoutRun& run : result.runs) {
    run.is_partial = true;
    run.simulated_ms = 90'000;
    for (PatternRun& pattern : run.patterns) pattern.weight = 10;
  }
  const std::string text = LabTextReport(ShopLab(), result, {.columns = 100});
  for (const char* const part :
       {"The run was interrupted: its figures are of a part of the traffic, and there is no "
        "verdict.",
        "- The run of \"one key\" was stopped after 1 min 30 s of 10 min: its figures are of what",
        "\n- One of 10 calls was made, and tables and partitions served as much less."}) {
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  }
}

TEST(LabTextReport, AFirstLimitThatNoTrialConfirmsSaysWhy) {
  LabResult result = ShopLabResult();
  const auto text_of = [&](double below, double above) {
    result.runs[0].trials = {{.multiple = 50, .throttled = below},
                             {.multiple = 61, .throttled = above}};
    return LabTextReport(ShopLab(), result, {.columns = 1000});
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != text.npos;
  };
  EXPECT_TRUE(has(text_of(0.01, 0.1), "at 61 ×: 10 % throttled."));
  EXPECT_TRUE(has(text_of(0, 0), "throttled. Not confirmed: above it, nothing was throttled."));
  EXPECT_TRUE(
      has(text_of(0.06, 0.1), "Not confirmed: below it, more than half as much was throttled."));
  result.runs[0].trials[1].place = {"look", 1, "shop", "GSI1", "GSI1PK=OTHER"};
  EXPECT_TRUE(has(LabTextReport(ShopLab(), result, {.columns = 1000}),
                  "Not confirmed: above it, shop / GSI1, key GSI1PK=OTHER, throttled most."));
  result.runs[0].no_trial_because = "no trial was asked for";
  result.runs[0].trials.clear();
  EXPECT_TRUE(has(LabTextReport(ShopLab(), result, {.columns = 1000}),
                  ". Not confirmed: no trial was asked for."));
}

TEST(LabTextReport, APatternWithoutCallsIsMissingInTheMonth) {
  LabResult result = ShopLabResult();
  result.runs.pop_back();
  result.runs[0].patterns[1].calls = 0;
  result.runs[0].patterns[1].read_units = {};
  std::erase_if(result.runs[0].measurement.patterns,
                [](const PatternMeasure& pattern) { return pattern.name == "newest customers"; });
  ExpectGolden("tests/lab/report/golden/uncalled.txt",
               LabTextReport(ShopLab(), result, {.columns = 100}));
}

TEST(LabTextReport, ThinnedTablesThatServeMoreThanTheirPartAreTold) {
  LabFile file = ShopLab();
  LabTable table;
  table.name = "shop";
  table.throughput = {.on_demand = false, .read_units = 200, .write_units = 5};
  LabIndex index;
  index.name = "GSI1";
  index.throughput = {.on_demand = false, .read_units = 29, .write_units = 1000};
  table.indexes = {index};
  file.layouts[0].tables = {table};
  LabResult result = ShopLabResult();
  result.thin = 20;
  const std::string text = LabTextReport(file, result, {.columns = 400});
  EXPECT_NE(
      text.find("- Tables serve whole units, so in \"one key\" a second of the run has 1, not "
                "0.25, of the write units of shop and 1, not 1.45, of the read units of shop "
                "/ GSI1: its throttles are not those of what is declared. Leave out fewer "
                "calls.\n"),
      text.npos)
      << text;
}

TEST(LabTextReport, NothingWasRun) {
  EXPECT_EQ(LabTextReport(ShopLab(), {}, {}), "No layout was run.\n");
}

// What a run that was stopped at once has.
TEST(LabTextReport, ALayoutWithoutAnythingHasAReport) {
  LabResult result;
  result.runs = {{.layout = "one key", .is_partial = true}};
  ExpectGolden("tests/lab/report/golden/nothing.txt",
               LabTextReport(ShopLab(), result, {.columns = 100}));
}

TEST(LabTextReport, NoLineIsWiderThanTheTerminal) {
  LabFile hostile = HostileLab();
  hostile.limits_of_all.headroom = 1e9;
  for (const std::size_t columns : {80, 100, 140}) {
    for (const std::string& text :
         {LabTextReport(hostile, HostileLabResult(), {.columns = columns}),
          LabTextReport(ShopLab(), ShopLabAtTwoScales(), {.columns = columns})}) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(TerminalColumns(line), columns) << line;
      }
    }
  }
}

TEST(LabTextReport, TextsOfTheFileDoNotReachTheTerminalAsCommands) {
  std::string text = LabTextReport(HostileLab(), HostileLabResult(), {.columns = 100});
  std::erase(text, '\n');
  EXPECT_EQ(text, ReadableText(text));
}

TEST(LabTextReport, ColourChangesNothingElse) {
  const std::string coloured =
      LabTextReport(ShopLab(), ShopLabResult(), {.columns = 100, .has_colour = true});
  std::string plain;
  for (std::size_t at = 0; at < coloured.size(); ++at) {
    if (coloured[at] != '\x1B') {
      plain.push_back(coloured[at]);
    } else {
      at = coloured.find('m', at);
    }
  }
  EXPECT_NE(plain, coloured);
  EXPECT_EQ(plain, LabTextReport(ShopLab(), ShopLabResult(), {.columns = 100}));
}

}  // namespace
}  // namespace hashrange
