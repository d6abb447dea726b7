#include "measure/report/measure_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/text/text_encodings.h"
#include "measure/report/example_measurement.h"
#include "measure/report/html_page.h"
#include "measure/report/partition_example.h"
#include "measure/report/readable_text.h"
#include "support/golden_text.h"
#include "support/html_tags.h"
#include "support/json_in_lines.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// --- Text ---

TEST(TextReport, OneMeasurementIsOnOneScreen) {
  const ReportInput input = ShopWithOneCustomerKey();
  ExpectGolden("tests/measure/report/golden/one.txt", TextReport({&input, 1}, {.columns = 100}));
}

TEST(TextReport, PartitionsAreToldWhereTheyWereModelled) {
  const ReportInput input = ShopWithPartitions();
  ExpectGolden("tests/measure/report/golden/partitions.txt",
               TextReport({&input, 1}, {.columns = 100}));
}

TEST(TextReport, OfManyPartitionsTheHottestAreShown) {
  const ReportInput input = ShopWithManyPartitions();
  const std::string text = TextReport({&input, 1}, {});
  EXPECT_EQ(text.find("\n192: "), text.npos);
  EXPECT_NE(text.find("\n193: 75 % to 75.4 %"), text.npos) << text;
  EXPECT_NE(text.find("\nand 192 more partitions\n"), text.npos) << text;
}

TEST(TextReport, SeveralStandSideBySideWithDifferences) {
  const ReportInput inputs[] = {ShopWithOneCustomerKey(), ShopWithTenCustomerKeys()};
  ExpectGolden("tests/measure/report/golden/several.txt", TextReport(inputs, {.columns = 100}));
}

TEST(TextReport, NoLineIsWiderThanTheTerminal) {
  const ReportInput inputs[] = {ShopWithOneCustomerKey(), HostileShop(), HostilePartitions()};
  for (const std::size_t columns : {80, 100, 120}) {
    for (const std::span<const ReportInput> shown :
         {std::span<const ReportInput>(inputs), std::span<const ReportInput>(inputs, 1),
          std::span<const ReportInput>(inputs + 1, 1),
          std::span<const ReportInput>(inputs + 2, 1)}) {
      std::istringstream lines(TextReport(shown, {.columns = columns}));
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(TerminalColumns(line), columns) << line;
      }
    }
  }
}

TEST(TextReport, TextsOfTheTrafficDoNotReachTheTerminalAsCommands) {
  for (const ReportInput& input : {HostileShop(), HostilePartitions()}) {
    std::string text = TextReport({&input, 1}, {.columns = 120});
    std::erase(text, '\n');
    EXPECT_EQ(text, ReadableText(text));
  }
}

TEST(TextReport, EvidenceIsWrappedAndNotCut) {
  ReportInput input;
  input.findings = {{.severity = "severe", .what = "It is slow.", .where = "shop"}};
  for (int word = 0; word < 200; ++word) {
    input.findings[0].evidence += "figure" + std::to_string(word) + " ";
  }
  input.findings[0].evidence += std::string(100, 'x') + " end.";
  const std::string text = TextReport({&input, 1}, {.columns = 80});
  std::string words;
  std::istringstream lines(text.substr(text.find("severe   ") + 9));
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    words += line.substr(line.find_first_not_of(' ')) + (line.ends_with('x') ? "" : " ");
  }
  EXPECT_EQ(words, "It is slow. shop: " + input.findings[0].evidence + " ");
}

TEST(TextReport, CountsAndNounsAgree) {
  const ReportInput input = ShopWithOneOfEach();
  const std::string text = TextReport({&input, 1}, {});
  for (const char* const part :
       {"Findings: no severe, 1 warning, no hint\n", "\n1 call is in the pattern \"other\"\n",
        "\n1 access of tables without counters\n", "\nand 1 more rule\n"}) {
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  }
}

TEST(TextReport, CallersRatesAndAssumptionsAreTold) {
  ReportInput input = ShopWithOneOfEach();
  input.measurement.patterns[0].callers = {{"checkout", 1200}, {"admin", 3}};
  input.rates_without_calls = {"sign in", "sign out"};
  input.first_limit_assumption = "Tables are taken as warm.";
  const std::string text = TextReport({&input, 1}, {});
  for (const char* const part :
       {"\nCallers, by requests\ncheckout 1,200, admin 3\n",
        "\nrates of no pattern: sign in; sign out\n", "\nTables are taken as warm.\n"}) {
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  }
}

TEST(TextReport, AnEmptyMeasurementHasAReport) {
  const ReportInput input;
  ExpectGolden("tests/measure/report/golden/empty.txt", TextReport({&input, 1}, {}));
}

// --- Pages ---

// The pages of all examples. HASHRANGE_WRITE_REPORTS=folder writes them, to be looked at.
std::map<std::string, std::string> AllPages() {
  const ReportInput one = ShopWithOneCustomerKey();
  const ReportInput several[] = {one, ShopWithTenCustomerKeys()};
  const ReportInput hostile = HostileShop();
  const ReportInput both[] = {hostile, one};
  const ReportInput empty;
  const ReportInput partitions = ShopWithPartitions();
  const ReportInput many = ShopWithManyPartitions();
  const ReportInput hostile_partitions = HostilePartitions();
  const ReportInput both_partitions[] = {partitions, many};
  std::map<std::string, std::string> pages = {
      {"one", HtmlReport({&one, 1})},
      {"several", HtmlReport(several)},
      {"hostile", HtmlReport({&hostile, 1})},
      {"hostile-and-one", HtmlReport(both)},
      {"partitions", HtmlReport({&partitions, 1})},
      {"several-partitions", HtmlReport(both_partitions)},
      {"many-partitions", HtmlReport({&many, 1})},
      {"hostile-partitions", HtmlReport({&hostile_partitions, 1})},
      {"empty", HtmlReport({&empty, 1})}};
  if (const char* const folder = std::getenv("HASHRANGE_WRITE_REPORTS")) {
    for (const auto& [name, page] : pages) {
      std::ofstream(std::string(folder) + "/" + name + ".html") << page;
    }
  }
  return pages;
}

// Headings, captions and columns: what a reader finds on the page, without the figures.
std::string OutlineOf(const std::string& page) {
  static const std::map<std::string, std::string> kShown = {
      {"h1", "# "},           {"h2", "\n## "},          {"h3", "### "},          {"dt", "- "},
      {"title", "  title: "}, {"caption", "  table: "}, {"summary", "  opens: "}};
  std::string outline;
  for (const HtmlTag& tag : TagsOf(page)) {
    if (tag.closes) continue;
    const auto shown = kShown.find(tag.name);
    if (shown != kShown.end()) outline += shown->second + tag.text + "\n";
    const auto scope = tag.attributes.find("scope");
    if (scope != tag.attributes.end() && scope->second == "col") {
      outline += "    column: " + tag.text + "\n";
    }
    const auto css = tag.attributes.find("class");
    if (css != tag.attributes.end() && css->second == "caption") outline += "* " + tag.text + "\n";
  }
  return outline;
}

TEST(HtmlReport, OneMeasurementHasEverySection) {
  ExpectGolden("tests/measure/report/golden/one.outline", OutlineOf(AllPages()["one"]));
}

TEST(HtmlReport, SeveralMeasurementsAreCompared) {
  ExpectGolden("tests/measure/report/golden/several.outline", OutlineOf(AllPages()["several"]));
}

// Returns the section of the page with this id.
std::string SectionOf(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("<section id=\"" + id + "\"");
  if (begin == page.npos) return {};
  return page.substr(begin, page.find("</section>", begin) - begin);
}

TEST(HtmlReport, PartitionsAreASectionWhereTheyWereModelled) {
  std::map<std::string, std::string> pages = AllPages();
  ExpectGolden("tests/measure/report/golden/partitions.html",
               SectionOf(pages["partitions"], "partitions"));
  EXPECT_NE(pages["partitions"].find("<a href=\"#partitions\">"), std::string::npos);
  EXPECT_EQ(SectionOf(pages["one"], "partitions"), "");
  EXPECT_EQ(pages["one"].find("#partitions"), std::string::npos);
}

TEST(HtmlReport, OfManyPartitionsTheHottestAreShown) {
  const std::string section = SectionOf(AllPages()["many-partitions"], "partitions");
  EXPECT_NE(section.find("The hottest are shown; 136 others are left out."), section.npos);
  EXPECT_EQ(section.find(">136</text>"), section.npos);
  EXPECT_NE(section.find(">137</text>"), section.npos);
  std::size_t rows = 0;
  for (const HtmlTag& tag : TagsOf(section)) rows += tag.name == "tr" && !tag.closes;
  EXPECT_EQ(rows, 65u);
}

TEST(HtmlReport, CountsAndNounsAgree) {
  const ReportInput input = ShopWithOneOfEach();
  const std::string page = HtmlReport({&input, 1});
  for (const char* const part :
       {"1 error, 0 throttled", "1 item; indexes 0 B", "; 1 rule found nothing, 4 rules were not",
        ">1 call is counted in", ">1 access of a table or", ">1 call with more pages was forgotten",
        "(1 row)", ">1 collection; half", " and 1 item. Sizes"}) {
    EXPECT_NE(page.find(part), page.npos) << part;
  }
}

// The sixth table is in no list; its units are not added to the fifth.
TEST(HtmlReport, UnitsOfATableThatIsNotListedAreItsOwn) {
  ReportInput input;
  PatternMeasure put{.id = "p", .text = "BatchWriteItem", .operation = "BatchWriteItem"};
  put.calls = put.requests = 1;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "table" + std::to_string(i);
    const double units = i < 5 ? 100 - i : 3;
    put.units.push_back({name, "", 0, units});
    input.measurement.tables.push_back({.name = name});
    input.measurement.resources.push_back({.table = name, .write_units = units});
  }
  input.measurement.tables.pop_back();
  input.measurement.resources.pop_back();
  input.measurement.patterns = {put};
  const std::string page = HtmlReport({&input, 1});
  const std::string cell = "</bdi></td>\n<td class=\"number\"><bdi>";
  EXPECT_NE(page.find(">97" + cell + "96" + cell + "3" + cell + "493<"), page.npos);
}

// All reads were one scan, which is spread evenly; 240 units of one key were written in 4 seconds.
TEST(HtmlReport, ScansAndShortRunsAreToldAsTheyWere) {
  ReportInput input;
  input.measurement.began_epoch_ms = 1'700'000'042'000;
  input.measurement.ended_epoch_ms = 1'700'000'046'000;
  input.measurement.tables = {{.name = "shop"}};
  ResourceMeasure table{.table = "shop", .read_units = 256, .write_units = 240};
  for (std::uint32_t range = 0; range < 4096; range += 16) table.heat.push_back({range, 1, 0});
  HotWindow window{.begin_epoch_ms = 1'699'999'980'000, .length_ms = 120'000};
  window.direction = "write";
  window.key = {"PK=A", "PK=A", 240, 0};
  window.total_units = 240;
  table.hot_windows = {window};
  input.measurement.resources = {table};
  std::string page = HtmlReport({&input, 1});
  EXPECT_NE(page.find("60 a second"), page.npos);
  EXPECT_EQ(page.find("the keys spread the load well"), page.npos);
  input.measurement.resources[0].read_keys.total_units = 200;
  page = HtmlReport({&input, 1});
  EXPECT_NE(page.find("the keys spread the load well"), page.npos);
}

TEST(HtmlReport, TheSameInputGivesTheSameBytes) { EXPECT_TRUE(AllPages() == AllPages()); }

TEST(HtmlReport, TagsAreNestedAndTextIsValidUtf8) {
  for (const auto& [name, page] : AllPages()) {
    EXPECT_EQ(NestingProblem(TagsOf(page)), "") << name;
    EXPECT_TRUE(IsValidUtf8(page)) << name;
  }
}

std::set<std::string> WordsOf(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// A text of the traffic that became a tag or an attribute would be found here.
TEST(HtmlReport, HasOnlyTheTagsAndAttributesThatTheReportWrites) {
  const std::set<std::string> tags = WordsOf(
      "!DOCTYPE a bdi body caption circle dd defs desc details div dl dt figcaption figure h1 "
      "h2 h3 head header html li line main meta nav ol p path pattern rect section span style "
      "summary svg table tbody td text th thead title tr ul");
  const std::set<std::string> attributes = WordsOf(
      "aria-hidden aria-label aria-labelledby charset class content cx cy d dx focusable "
      "height href http-equiv id lang name patternTransform patternUnits preserveAspectRatio r "
      "role scope tabindex viewBox width x x1 x2 y y1 y2");
  for (const auto& [name, page] : AllPages()) {
    for (const HtmlTag& tag : TagsOf(page)) {
      EXPECT_TRUE(tags.contains(tag.name)) << name << " " << tag.name;
      for (const auto& [attribute, value] : tag.attributes) {
        EXPECT_TRUE(attributes.contains(attribute)) << name << " " << attribute << "=" << value;
        if (attribute == "href") {
          EXPECT_TRUE(value.starts_with("#")) << value;
        }
      }
    }
  }
}

TEST(HtmlReport, LoadsNothing) {
  for (const char* const loads : {"@import", "url(h", "url(\"", "http://", "https://"}) {
    EXPECT_EQ(kReportStyle.find(loads), std::string_view::npos) << loads;
  }
  for (const auto& [name, page] : AllPages()) {
    EXPECT_NE(page.find("content=\"default-src 'none'; style-src 'unsafe-inline'\""),
              std::string::npos)
        << name;
  }
}

TEST(HtmlReport, IdentifiersAreUniqueAndLinksLeadToThem) {
  for (const auto& [name, page] : AllPages()) {
    std::set<std::string> ids;
    std::vector<std::string> wanted;
    for (const HtmlTag& tag : TagsOf(page)) {
      for (const auto& [attribute, value] : tag.attributes) {
        if (attribute == "id") {
          EXPECT_TRUE(ids.insert(value).second) << name << " " << value;
        }
        if (attribute == "href") wanted.push_back(value.substr(1));
        if (attribute == "aria-labelledby") {
          const std::size_t blank = value.find(' ');
          wanted.push_back(value.substr(0, blank));
          if (blank != std::string::npos) wanted.push_back(value.substr(blank + 1));
        }
      }
    }
    for (const std::string& id : wanted) EXPECT_TRUE(ids.contains(id)) << name << " " << id;
  }
}

// Each plot says what it shows, or is hidden because it is inside one that does.
TEST(HtmlReport, EachPlotHasATitleADescriptionAndATable) {
  for (const auto& [name, page] : AllPages()) {
    const std::vector<HtmlTag> tags = TagsOf(page);
    std::size_t plots = 0;
    std::size_t tables = 0;
    for (std::size_t at = 0; at < tags.size(); ++at) {
      if (tags[at].name == "table" && !tags[at].closes) ++tables;
      if (tags[at].name != "svg" || tags[at].closes) continue;
      if (tags[at].attributes.contains("aria-hidden")) continue;
      ++plots;
      EXPECT_EQ(tags[at].attributes.at("role"), "img");
      EXPECT_EQ(tags[at + 1].name, "title");
      EXPECT_NE(tags[at + 1].text, "");
      EXPECT_EQ(tags[at + 3].name, "desc");
      EXPECT_NE(tags[at + 3].text, "");
    }
    EXPECT_GE(tables, plots) << name;
    if (name != "empty") {
      EXPECT_GE(plots, 10U) << name;
    }
  }
}

// --- JSON ---

std::string JsonOf(std::span<const ReportInput> inputs) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteReportJson(inputs, writer);
  return std::string(out.view());
}

TEST(ReportJson, HasEveryDerivedFigure) {
  const ReportInput inputs[] = {ShopWithOneCustomerKey(), ShopWithTenCustomerKeys()};
  ExpectGolden("tests/measure/report/golden/several.json", InLines(JsonOf(inputs)));
}

TEST(ReportJson, HasThePartitionsThatWereModelled) {
  const ReportInput input = ShopWithPartitions();
  const std::string lines = InLines(JsonOf({&input, 1}));
  const std::size_t begin = lines.find("\"partitions\":");
  ASSERT_NE(begin, lines.npos);
  ExpectGolden("tests/measure/report/golden/partitions.json",
               lines.substr(begin, lines.find("\"findings\":") - begin));
  const ReportInput many = ShopWithManyPartitions();
  EXPECT_NE(JsonOf({&many, 1}).find("\"left_out\":136"), std::string::npos);
}

TEST(ReportJson, AnInfinitePriceIsNull) {
  ReportInput inputs[] = {ShopWithOneCustomerKey(), ShopWithTenCustomerKeys()};
  inputs[0].pattern_costs[0].usd_per_million = std::numeric_limits<double>::infinity();
  const std::string json = JsonOf(inputs);
  EXPECT_NE(json.find("\"usd_per_million\":[null,"), json.npos);
  EXPECT_EQ(json.find("inf.0"), json.npos);
}

TEST(ReportJson, IsJsonWhateverTheKeysAre) {
  for (const ReportInput& input : {HostileShop(), HostilePartitions()}) {
    const std::string json = JsonOf({&input, 1});
    EXPECT_TRUE(IsValidUtf8(json));
    EXPECT_TRUE(OwnedJson::Parse(json, JsonDialect::kStrict).ok());
  }
}

}  // namespace
}  // namespace hashrange
