#include "measure/report/report_figures.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/cost/compare.h"

namespace hashrange {
namespace {

PatternMeasure Pattern(std::string id, std::string name, std::uint64_t calls, double read_units) {
  PatternMeasure pattern{.id = std::move(id), .name = std::move(name), .text = "Query: PK = X"};
  pattern.calls = calls;
  pattern.requests = calls + 1;
  pattern.units = {{"shop", "", read_units, 0}, {"shop", "GSI1", 0, 2}};
  pattern.errors = {{"ValidationException", 1}};
  pattern.call.items_examined.Add(30, calls);
  pattern.call.items_returned.Add(10, calls);
  return pattern;
}

std::vector<PatternPrice> Prices(std::initializer_list<std::pair<const char*, double>> by_id) {
  std::vector<PatternPrice> prices;
  for (const auto& [id, usd] : by_id) prices.push_back({.id = id, .usd_per_million = usd});
  return prices;
}

ReportInput TwoPatterns() {
  ReportInput input;
  input.measurement.name = "m";
  input.measurement.began_epoch_ms = 1'000;
  input.measurement.ended_epoch_ms = 61'000;
  input.measurement.patterns = {Pattern("a", "", 30, 15), Pattern("b", "named", 10, 5)};
  input.measurement.tables = {{.name = "shop", .items = 7, .size_bytes = 700}};
  input.measurement.tables[0].indexes = {{.name = "GSI1", .items = 3, .size_bytes = 100}};
  input.measurement.resources = {{.table = "shop", .index = "GSI1", .write_units = 4}};
  input.pattern_costs = Prices({{"a", 1}, {"b", 9}});
  return input;
}

TEST(ReportFigures, TheHeadlineAddsUpThePatterns) {
  const ReportInput input = TwoPatterns();
  const MixFigures mix = ViewsOf({&input, 1})[0].mix;
  EXPECT_EQ(mix.calls, 40U);
  EXPECT_EQ(mix.requests, 42U);
  EXPECT_EQ(mix.errors, 2U);
  EXPECT_EQ(mix.read_units, 20);
  EXPECT_EQ(mix.write_units, 4);
  // (30 * 1 + 10 * 9) / 40
  EXPECT_EQ(mix.usd_per_million_calls, 3);
  EXPECT_EQ(mix.items, 7U);
  EXPECT_EQ(mix.table_bytes, 700);
  EXPECT_EQ(mix.index_bytes, 100);
  EXPECT_EQ(mix.covered_ms, 60'000);
}

TEST(ReportFigures, PatternsAreInTheOrderOfWhatTheyAddToTheCost) {
  const ReportInput input = TwoPatterns();
  const auto patterns = ViewsOf({&input, 1})[0].patterns;
  ASSERT_EQ(patterns.size(), 2U);
  EXPECT_EQ(patterns[0].label, "named");
  EXPECT_EQ(patterns[1].label, "Query: PK = X");
  EXPECT_DOUBLE_EQ(patterns[0].share_of_cost, 0.75);
  EXPECT_DOUBLE_EQ(patterns[0].usd_of_mix, 2.25);
  EXPECT_DOUBLE_EQ(patterns[1].usd_of_mix, 0.75);
  EXPECT_EQ(patterns[0].read_units_a_call, 0.5);
  EXPECT_EQ(patterns[0].write_units_a_call, 0.2);
  EXPECT_EQ(patterns[0].examined_per_returned, 3);
}

TEST(ReportFigures, EachTableIsFollowedByItsIndexes) {
  const ReportInput input = TwoPatterns();
  const auto resources = ViewsOf({&input, 1})[0].resources;
  ASSERT_EQ(resources.size(), 2U);
  EXPECT_EQ(resources[0].label, "shop");
  EXPECT_EQ(resources[0].measure, nullptr);
  EXPECT_EQ(resources[1].label, "shop / GSI1");
  EXPECT_EQ(resources[1].write_units_a_call, 0.1);
  EXPECT_EQ(resources[1].items, 3U);
}

TEST(ReportFigures, DeletedResourcesHaveNoItems) {
  ReportInput input = TwoPatterns();
  input.measurement.tables[0].indexes[0].is_deleted = true;
  const ReportView view = ViewsOf({&input, 1})[0];
  EXPECT_EQ(ItemsText(view.resources[0]), "7");
  EXPECT_EQ(SizeText(view.resources[0]), "700 B");
  EXPECT_EQ(ItemsText(view.resources[1]), "deleted");
  EXPECT_EQ(SizeText(view.resources[1]), "deleted");
}

// Scans took 60 of 200 read units; the key had 70 of the others, and 10 of 100 writes.
TEST(ReportFigures, TheHottestKeysShareCountsScans) {
  ReportInput input = TwoPatterns();
  ResourceMeasure& index = input.measurement.resources[0];
  index.read_units = 200;
  index.read_keys = {140, 0, {{"GSI1PK=A", "", 70, 0}}};
  index.write_units = 100;
  index.written_keys = {100, 0, {{"GSI1PK=A", "", 10, 0}}};
  EXPECT_EQ(ViewsOf({&input, 1})[0].resources[1].hottest_key_share, 0.35);
  index.read_units = 99;
  EXPECT_EQ(ViewsOf({&input, 1})[0].resources[1].hottest_key_share, 0.1);
  index.write_units = 99;
  EXPECT_EQ(ViewsOf({&input, 1})[0].resources[1].hottest_key_share, 0);
}

// 30 and 10 calls, at US$ 1 and 9 a million.
TEST(ReportFigures, PatternsOfOneNameAreOneRow) {
  ReportInput input = TwoPatterns();
  input.measurement.patterns[0].name = "named";
  input.pattern_costs[0].resources = {{.table = "shop", .read_usd_per_million = 1}};
  input.pattern_costs[1].resources = {
      {.table = "shop", .read_usd_per_million = 5, .write_usd_per_million = 4}};
  const ReportView view = ViewsOf({&input, 1})[0];
  ASSERT_EQ(view.patterns.size(), 1u);
  const PatternFigures& row = view.patterns[0];
  EXPECT_EQ(row.label, "named");
  EXPECT_EQ(row.ids.size(), 2u);
  EXPECT_EQ(row.pattern->calls, 40u);
  EXPECT_EQ(row.usd_per_million, 3);
  EXPECT_EQ(row.read_units_a_call, 0.5);
  EXPECT_EQ(row.share_of_cost, 1);
  ASSERT_EQ(row.resource_costs.size(), 1u);
  EXPECT_EQ(row.resource_costs[0].read_usd_per_million, 2);
  EXPECT_EQ(row.resource_costs[0].write_usd_per_million, 1);
}

TEST(ReportFigures, CallersAreAddedUpOverPatterns) {
  ReportInput input = TwoPatterns();
  input.measurement.patterns[0].callers = {{"shop", 3}, {"admin", 4}};
  input.measurement.patterns[1].callers = {{"shop", 2}};
  const std::vector<NamedCount> callers = CallersOf(input.measurement);
  ASSERT_EQ(callers.size(), 2u);
  EXPECT_EQ(callers[0].name, "shop");
  EXPECT_EQ(callers[0].count, 5u);
  EXPECT_EQ(callers[1].name, "admin");
}

TEST(ReportFigures, AMonthHasItsPlansSideBySide) {
  ReportedMonth month{.basis = "from the declared rates"};
  month.plans = {{"on demand", 39.42},
                 {"provisioned with autoscaling", 5.84, true},
                 {"as the tables are now", 10, false, 1200}};
  EXPECT_EQ(MonthText(month),
            "A month, from the declared rates: on demand US$ 39.42; provisioned with autoscaling "
            "US$ 5.84 (modelled); as the tables are now US$ 10.00, with less capacity than the "
            "load needs: 1,200 units a month above it");
  EXPECT_EQ(MonthText({.basis = "not computed"}), "A month: not computed");
}

TEST(ReportFigures, ComparedPatternsAreInTheOrderOfTheirCost) {
  ReportInput inputs[] = {TwoPatterns(), TwoPatterns()};
  inputs[1].measurement.patterns[0].id = "c";
  inputs[1].measurement.patterns[0].text = "Scan";  // another pattern
  inputs[1].measurement.patterns[1].id = "d";       // has the name: the same pattern
  inputs[1].pattern_costs = Prices({{"c", 2}, {"d", 8}});
  const auto compared = ComparePatterns(ViewsOf(inputs));
  ASSERT_EQ(compared.size(), 3U);
  EXPECT_EQ(compared[0].label, "named");
  EXPECT_EQ(compared[0].figures[0]->usd_per_million, 9);
  EXPECT_EQ(compared[0].figures[1]->usd_per_million, 8);
  EXPECT_EQ(compared[1].label, "Query: PK = X");
  EXPECT_FALSE(compared[1].figures[1]);
  EXPECT_EQ(compared[2].label, "Scan");
  EXPECT_FALSE(compared[2].figures[0]);
}

// 30 calls at 1 and 10 at 9 dollars a million; 20 read units in 40 calls.
TEST(ReportFigures, PatternsOfOneNameAreAddedUpInAComparison) {
  ReportInput inputs[] = {TwoPatterns(), TwoPatterns()};
  inputs[1].measurement.patterns[0].name = "named";
  const auto compared = ComparePatterns(ViewsOf(inputs));
  ASSERT_EQ(compared.size(), 2U);
  const ComparedFigures& sum = *compared[0].figures[1];
  EXPECT_EQ(sum.calls, 40U);
  EXPECT_EQ(sum.usd_per_million, 3);
  EXPECT_EQ(sum.usd_of_mix, 3);
  EXPECT_EQ(sum.share_of_cost, 1);
  EXPECT_EQ(sum.read_units_a_call, 0.5);
}

// With the same prices and the same matching, a comparison and a report have the same figures.
TEST(ReportFigures, AComparisonAndAReportHaveTheSameRows) {
  ReportInput inputs[] = {TwoPatterns(), TwoPatterns()};
  inputs[1].measurement.patterns[0].id = "c";      // the text is the same
  inputs[1].measurement.patterns[0].name = "new";  // and one has no name
  inputs[1].pattern_costs = Prices({{"c", 2}, {"b", 8}});
  const auto compared = ComparePatterns(ViewsOf(inputs));
  const Measurement both[] = {inputs[0].measurement, inputs[1].measurement};
  const Comparison comparison = Compare(both, {});
  ASSERT_EQ(compared.size(), comparison.patterns.size());
  EXPECT_EQ(compared[0].label, comparison.patterns[1].title);
  EXPECT_EQ(compared[1].label, comparison.patterns[0].title);
}

TEST(ReportFigures, FindingsAreCountedInWords) {
  ReportInput input;
  EXPECT_EQ(FindingCountsText(input), "no severe, no warning, no hint");
  input.findings = {{.severity = "severe"}, {.severity = "hint"}, {.severity = "hint"}};
  EXPECT_EQ(FindingCountsText(input), "1 severe, no warning, 2 hints");
}

}  // namespace
}  // namespace hashrange
