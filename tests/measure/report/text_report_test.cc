#include "measure/report/text_report.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "measure/report/example_measurement.h"
#include "measure/report/partition_example.h"
#include "measure/report/readable_text.h"
#include "support/golden_text.h"

namespace hashrange {
namespace {

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

TEST(TextReport, ColourChangesNothingElse) {
  const ReportInput input = ShopWithOneCustomerKey();
  const std::string coloured = TextReport({&input, 1}, {.columns = 100, .has_colour = true});
  std::string plain;
  for (std::size_t at = 0; at < coloured.size(); ++at) {
    if (coloured[at] != '\x1B') {
      plain.push_back(coloured[at]);
    } else {
      at = coloured.find('m', at);
    }
  }
  EXPECT_NE(plain, coloured);
  EXPECT_EQ(plain, TextReport({&input, 1}, {.columns = 100}));
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

}  // namespace
}  // namespace hashrange
