#include "lab/report/lab_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/memory/output_buffer.h"
#include "base/text/text_encodings.h"
#include "lab/report/lab_example.h"
#include "lab/report/lab_verdict.h"
#include "measure/report/readable_text.h"
#include "support/golden_text.h"
#include "support/html_tags.h"
#include "support/json_in_lines.h"

namespace hashrange {
namespace {

// --- Text ---

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

// The first layout, which would be taken, has items with the same key.
TEST(LabTextReport, WrongAnswersAreBesideTheFailedCalls) {
  LabFile file = ShopLab();
  file.limits_of_all.wrong = 0.01;
  LabResult result = ShopLabResult();
  LayoutRun& run = result.runs[0];
  run.items_replaced = 400;
  run.collisions = {{.table = "shop",
                     .entity = "Customer",
                     .by_entity = "Customer",
                     .replaced = 400,
                     .items = 10'000,
                     .examples = {{"PK=CUST#Ann", "Customer 1", "Customer 2"}}}};
  for (PatternRun& pattern : run.patterns) pattern.judged = pattern.calls;
  run.patterns[0].wrong = run.patterns[0].calls / 50;
  run.patterns[1].wrong = run.patterns[1].calls / 10;
  run.patterns[1].doubtful = run.patterns[1].calls / 10;
  EXPECT_EQ(LimitViolations(file, result),
            std::vector<std::string>{"one key: wrong 0.0202 is above 0.01"});
  LabResult not_judged = result;
  for (PatternRun& pattern : not_judged.runs[0].patterns) pattern.judged = 0;
  EXPECT_EQ(LimitViolations(file, not_judged),
            std::vector<std::string>{"one key: wrong cannot be compared with 0.01: items share "
                                     "keys, and no answer was judged"});
  ExpectGolden("tests/lab/report/golden/wrong.txt", LabTextReport(file, result, {.columns = 100}));
  OutputBuffer out;
  JsonWriter writer(out);
  WriteLabJson(file, result, writer);
  EXPECT_NE(
      out.view().find(R"("items_replaced":400,"collisions":[{"table":"shop","entity":"Customer",)"
                      R"("replaced_by":"Customer","items":10000,"items_replaced":400,"examples":[{)"
                      R"("key":"PK=CUST#Ann","replaced":"Customer 1","by":"Customer 2"}]}])"),
      std::string_view::npos);
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

// Returns what the text says of the first limit of "one key", 55.6 ×, after these trials.
std::string FirstLimitSaid(const std::vector<LimitTrial>& trials, const std::string& ended = {}) {
  LabResult result = ShopLabResult();
  result.runs[0].trials = trials;
  result.runs[0].no_trial_because = ended;
  const std::string text = LabTextReport(ShopLab(), result, {.columns = 1000});
  const std::size_t from = text.find("one key: ", text.find("What breaks first"));
  return text.substr(from, text.find(" In the traffic of the file", from) - from);
}

TEST(LabTextReport, AFirstLimitIsConfirmedComputedOrWhatTheTrialsSaw) {
  const std::string place =
      ": shop / GSI1, key GSI1PK=CUSTOMER, writes (IndexWriteKeyRangeThroughputExceeded).";
  const std::string warm = " × the declared rates once its tables are warm";
  EXPECT_EQ(FirstLimitSaid({{.multiple = 53}, {.multiple = 58, .throttled = 0.1}}),
            "one key: 55.6" + warm + place +
                " Run at 53 ×: holds, 0 % throttled; at 58 ×: breaks, 10 % throttled.");
  EXPECT_EQ(FirstLimitSaid({}, "no trial was asked for"),
            "one key: 55.6" + warm + " (computed)" + place +
                " This limit is computed, and was not tried: no trial was asked for.");
  EXPECT_EQ(
      FirstLimitSaid({{.multiple = 42},
                      {.multiple = 53, .throttled = 0.004},
                      {.multiple = 58, .throttled = 0.1}}),
      "one key: 55.6" + warm + " (computed)" + place +
          " Run at 42 ×: holds, 0 % throttled; at 53 ×: undecided, 0.4 % throttled; at 58 ×: "
          "breaks, 10 % throttled. No trials confirm this limit: undecided: at 53 ×, 0.4 % of "
          "the requests were throttled.");
  const ThrottlePlace other = {"look", 1,      "shop",
                               "",     "PK=P", "TableReadKeyRangeThroughputExceeded"};
  EXPECT_EQ(
      FirstLimitSaid({{.multiple = 40}, {.multiple = 44, .throttled = 0.1, .place = other}}),
      "one key: 40" + warm +
          ": shop, key PK=P, reads (TableReadKeyRangeThroughputExceeded). Run at 40 ×: holds, "
          "0 % throttled; at 44 ×: breaks, 10 % throttled, all of \"look\", at shop, key "
          "PK=P (TableReadKeyRangeThroughputExceeded). The formula gives 55.6 ×: that "
          "is the limit of shop / GSI1, key GSI1PK=CUSTOMER "
          "(IndexWriteKeyRangeThroughputExceeded), but in the trials another place throttled "
          "first: shop, key PK=P (TableReadKeyRangeThroughputExceeded).");
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

// --- Pages ---

// The pages of all examples. HASHRANGE_WRITE_REPORTS=folder writes them, to be looked at.
std::map<std::string, std::string> AllPages() {
  LabFile limited = ShopLab();
  limited.limits_of_all.headroom = 5;
  LabResult stopped;
  stopped.runs = {{.layout = "one key", .is_partial = true}};
  std::map<std::string, std::string> pages = {
      {"lab-two", LabHtmlReport(limited, ShopLabResult())},
      {"lab-endpoint", LabHtmlReport(ShopLab(), ShopLabAtEndpoint())},
      {"lab-scales", LabHtmlReport(ShopLab(), ShopLabAtTwoScales())},
      {"lab-hostile", LabHtmlReport(HostileLab(), HostileLabResult())},
      {"lab-stopped", LabHtmlReport(ShopLab(), stopped)},
      {"lab-empty", LabHtmlReport(ShopLab(), {})}};
  if (const char* const folder = std::getenv("HASHRANGE_WRITE_REPORTS")) {
    for (const auto& [name, page] : pages) {
      std::ofstream(std::string(folder) + "/" + name + ".html") << page;
    }
  }
  return pages;
}

// Returns the part of the page that compares the layouts.
std::string LabPartOf(const std::string& page) {
  const std::size_t begin = page.find("<header>");
  const std::size_t end = page.find("<section id=\"findings\"");
  return page.substr(begin, end - begin);
}

TEST(LabHtmlReport, LayoutsAreCompared) {
  ExpectGolden("tests/lab/report/golden/two.html", LabPartOf(AllPages()["lab-two"]));
}

TEST(LabHtmlReport, CallsAtAnEndpointAreASection) {
  const std::string page = AllPages()["lab-endpoint"];
  const std::size_t begin = page.find("<section id=\"endpoint\"");
  ASSERT_NE(begin, page.npos);
  const std::size_t end = page.find("</section>", begin);
  ExpectGolden("tests/lab/report/golden/endpoint.html", page.substr(begin, end - begin) + "\n");
  EXPECT_EQ(AllPages()["lab-two"].find("id=\"endpoint\""), page.npos);
}

TEST(LabHtmlReport, EverySectionIsListedAndEveryIdIsUnique) {
  for (const auto& [name, page] : AllPages()) {
    std::set<std::string> ids;
    std::set<std::string> links;
    for (const HtmlTag& tag : TagsOf(page)) {
      if (const auto id = tag.attributes.find("id"); id != tag.attributes.end()) {
        EXPECT_TRUE(ids.insert(id->second).second) << name << ": " << id->second;
      }
      const auto link = tag.attributes.find("href");
      if (link != tag.attributes.end()) links.insert(link->second.substr(1));
    }
    for (const std::string& link : links) EXPECT_TRUE(ids.contains(link)) << name << ": " << link;
  }
}

TEST(LabHtmlReport, SectionsOfAMeasurementAreThereForAllLayouts) {
  const std::string page = AllPages()["lab-scales"];
  for (const char* const id : {"layouts", "patterns", "growth", "trials", "plans", "findings",
                               "cost", "keys", "collections", "assumptions", "notes"}) {
    EXPECT_NE(page.find("<section id=\"" + std::string(id) + "\""), page.npos) << id;
  }
  EXPECT_EQ(AllPages()["lab-two"].find("<section id=\"growth\""), std::string::npos);
}

TEST(LabHtmlReport, FirstErrorOfAPatternIsANote) {
  LabResult result = ShopLabResult();
  result.runs[0].patterns[3].error = "PutItem was answered by ValidationException: <b>";
  const std::string page = LabHtmlReport(ShopLab(), result);
  const std::size_t notes = page.find("<section id=\"notes\"");
  EXPECT_NE(page.find("had calls that failed by an error. The first: PutItem was answered by "
                      "ValidationException: &lt;b&gt;.",
                      notes),
            page.npos);
}

TEST(LabHtmlReport, TagsAreNestedAndNothingOfTheFileIsATag) {
  for (const auto& [name, page] : AllPages()) {
    EXPECT_EQ(NestingProblem(TagsOf(page)), "") << name;
    EXPECT_EQ(page.find("<script"), page.npos) << name;
    EXPECT_TRUE(IsValidUtf8(page)) << name;
    EXPECT_EQ(page.find('\x1B'), page.npos) << name;
    EXPECT_EQ(page.find("\xE2\x80\xAE"), page.npos) << name;
    EXPECT_FALSE(std::regex_search(page, std::regex(R"(\bnan\b)"))) << name;
  }
}

// --- JSON ---

std::string JsonOf(const LabFile& file, const LabResult& result) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteLabJson(file, result, writer);
  return std::string(out.view());
}

std::string ExplanationOf(const LabFile& file, const std::vector<ExplainedLayout>& layouts) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteExplanationJson(file, layouts, writer);
  return std::string(out.view());
}

TEST(LabJson, EveryFigureIsThere) {
  LabFile file = ShopLab();
  file.limits_of_all.headroom = 5;
  ExpectGolden("tests/lab/report/golden/two.json", InLines(JsonOf(file, ShopLabAtTwoScales())));
}

TEST(LabJson, CallsAtAnEndpointAreOneMember) {
  const std::string json = JsonOf(ShopLab(), ShopLabAtEndpoint());
  const std::size_t begin = json.find(R"("endpoint":)");
  ASSERT_NE(begin, json.npos);
  const std::size_t end = json.find(R"("violations":)", begin);
  ExpectGolden("tests/lab/report/golden/endpoint.json", InLines(json.substr(begin, end - begin)));
  std::string rest = json;
  rest.erase(begin, end - begin);
  EXPECT_EQ(rest, JsonOf(ShopLab(), ShopLabResult()));
}

TEST(LabJson, TimesOfTheMachineAreNot) {
  LabResult result = ShopLabResult();
  const std::string json = JsonOf(ShopLab(), result);
  for (LayoutRun& run : result.runs) {
    run.load_seconds = 77;
    run.run_seconds = 78;
  }
  EXPECT_EQ(json, JsonOf(ShopLab(), result));
}

const std::string kUsualPartitions =
    R"("partitions":{"read_units":3000,"write_units":1000,"new_table_read_units":12000,)"
    R"("new_table_write_units":4000,"quota_read_units":40000,"quota_write_units":40000})";

TEST(LabJson, NothingWasRun) {
  EXPECT_EQ(JsonOf(ShopLab(), {}),
            R"({"seed":7,"thin":1,)" + kUsualPartitions +
                R"(,"verdict":{"layout":null,"headline":"No layout was run.",)"
                R"("reasons":[],"rule":")" +
                VerdictRule() +
                R"(","changes":[]},"layouts":[],"scales":[],"violations":[],"notes":[]})");
}

TEST(LabJson, HostileTextsAreValidUtf8WithoutControls) {
  const std::string json = JsonOf(HostileLab(), HostileLabResult());
  EXPECT_TRUE(IsValidUtf8(json));
  EXPECT_EQ(json, ReadableText(json));
}

TEST(ExplanationJson, StepThatWalksSaysHowFar) {
  std::vector<ExplainedLayout> layouts = ShopExplanation();
  PlanStep& step = layouts[0].patterns[0].plan.steps[0];
  step.buckets = {.form = LabTemplatePart::Form::kDay, .from_ms = -90};
  step.walk = {.is_backward = true, .items = 50, .mean_periods = 1.8, .p99_periods = 4};
  const std::string json = ExplanationOf(ShopLab(), layouts);
  const std::size_t begin = json.find(R"("walk":)");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(json.substr(begin, json.find('}', begin) + 1 - begin),
            R"("walk":{"period":"day","newest_first":true,"items":50,)"
            R"("expected_periods_a_call":1.8,"expected_periods_p99":4.0})");
}

TEST(ExplanationJson, PatternsHaveRequestsUnitsAndReasons) {
  ExpectGolden("tests/lab/report/golden/explain.json",
               InLines(ExplanationOf(ShopLab(), ShopExplanation())));
}

TEST(ExplanationJson, UnitsThatAreNotKnownAreNull) {
  std::vector<ExplainedLayout> layouts = ShopExplanation();
  layouts.resize(1);
  layouts[0].patterns.resize(1);
  layouts[0].patterns[0].read_units = {};
  const std::string json = ExplanationOf(ShopLab(), layouts);
  EXPECT_NE(json.find(R"("read_units_a_call":null)"), std::string::npos) << json;
}

TEST(ExplanationJson, NothingIsExplained) {
  EXPECT_EQ(ExplanationOf(ShopLab(), {}), "{" + kUsualPartitions + R"(,"layouts":[]})");
}

TEST(ExplanationJson, HostileTextsAreValidUtf8WithoutControls) {
  std::vector<ExplainedLayout> layouts = ShopExplanation();
  layouts[0].name = "\x1B[31m";
  layouts[0].patterns[0].name = "\xE2\x80\xAE";
  layouts[0].patterns[0].plan.reasons = {"\x07"};
  layouts[0].findings[0].what = "\x1B";
  const std::string json = ExplanationOf(HostileLab(), layouts);
  EXPECT_TRUE(IsValidUtf8(json));
  EXPECT_EQ(json, ReadableText(json));
}

}  // namespace
}  // namespace hashrange
