#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// --- Rule 1 ---

Measurement Scanned(double scan_units, double other_units) {
  PatternMeasure scan = OnePattern("Scan", "scan", 2);
  scan.call.items_examined.Add(13, 2);
  scan.units = {{"shop", "", scan_units, 0}};
  PatternMeasure get = OnePattern("GetItem", "get", 8);
  get.id = "g";
  get.units = {{"shop", "", other_units, 0}};
  return ShopWith({scan, get});
}

TEST(ScanRule, ScanIsAWarning) {
  // 2 units in 10 calls are 200,000 units in a million calls, at US$ 0.125 for a million units.
  EXPECT_EQ(Judge("scan", Scanned(2, 8)),
            "warning [shop pattern p]: 2 calls scanned 26 items and took 2 read units. (measured); "
            "US$ 0.025 per million calls of this mix for the scan (measured)");
}

TEST(ScanRule, FifthOfManyUnitsIsSevere) {
  EXPECT_EQ(
      Judge("scan", Scanned(20, 80)),
      "severe [shop pattern p]: 2 calls scanned 26 items and took 20 read units, 20 % of all. "
      "(measured); US$ 0.25 per million calls of this mix for the scan (measured)");
  EXPECT_EQ(Judge("scan", Scanned(19.5, 80.5)),
            "warning [shop pattern p]: 2 calls scanned 26 items and took 19.5 read units. "
            "(measured); US$ 0.244 per million calls of this mix for the scan (measured)");
}

TEST(ScanRule, OtherReadsAreClean) {
  Measurement measurement = Scanned(2, 8);
  measurement.patterns.erase(measurement.patterns.begin());
  EXPECT_EQ(Judge("scan", measurement), "clean");
}

TEST(ScanRule, NeedsReads) {
  EXPECT_EQ(Judge("scan", ShopWith({OnePattern("PutItem", "put", 9)})),
            "not assessed: No reads were seen.");
}

// --- Rule 2 ---

Measurement Filtered(double examined, double returned) {
  PatternMeasure query = QueryPattern(10);
  query.call.items_examined.Add(examined / 10, 10);
  query.call.items_returned.Add(returned / 10, 10);
  query.units = {{"shop", "", 30, 0}};
  return ShopWith({query});
}

TEST(ExaminedRule, ManyExaminedForOneIsSevere) {
  // 30 units × 29/30 in 10 calls are 2.9 million units in a million calls.
  EXPECT_EQ(Judge("examined-per-returned", Filtered(1200, 40)),
            "severe [shop pattern p]: 10 calls examined 1,200 items to return 40: 30 for one. "
            "(measured); US$ 0.363 per million calls of this mix for reading what the filter drops "
            "(modelled)");
}

TEST(ExaminedRule, TwoForOneIsAWarning) {
  EXPECT_EQ(Judge("examined-per-returned", Filtered(100, 50)),
            "warning [shop pattern p]: 10 calls examined 100 items to return 50: 2 for one. "
            "(measured); US$ 0.188 per million calls of this mix for reading what the filter drops "
            "(modelled)");
  EXPECT_EQ(Judge("examined-per-returned", Filtered(190, 100)), "clean");
}

TEST(ExaminedRule, NothingReturnedIsSevere) {
  EXPECT_EQ(Judge("examined-per-returned", Filtered(100, 0)),
            "severe [shop pattern p]: 10 calls examined 100 items to return 0: none of them was "
            "what the calls looked for. (measured); US$ 0.375 per million calls of this mix for "
            "reading what the filter drops (modelled)");
}

TEST(ExaminedRule, NeedsTenCallsAndAHundredItems) {
  const std::string missing = "not assessed: No pattern of 10 queries or scans examined 100 items.";
  EXPECT_EQ(Judge("examined-per-returned", Filtered(90, 0)), missing);
  Measurement few = Filtered(1200, 40);
  few.patterns[0].calls = 9;
  EXPECT_EQ(Judge("examined-per-returned", few), missing);
}

// --- Rule 3 ---

Measurement FilteredBy(std::string attribute) {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].type_attribute = "Type";
  PatternMeasure query = QueryPattern(1);
  query.members[0].condition_attributes = {std::move(attribute)};
  measurement.patterns = {query};
  KeyTemplateMeasure sort_keys{.table = "shop", .attribute = "SK", .text = "{status}#{order_id}"};
  sort_keys.placeholders = {{.text = "status", .attribute = "status"},
                            {.text = "order_id", .attribute = "order_id"}};
  measurement.key_templates = {sort_keys};
  return measurement;
}

TEST(FilterForKeyRule, FilterOnTheTypeIsFound) {
  EXPECT_EQ(Judge("filter-for-key", FilteredBy("Type")),
            "warning [shop pattern p key Type]: The filter of 1 call tests `Type`, which tells the "
            "type of the entity. (measured)");
}

TEST(FilterForKeyRule, FilterOnTheBeginningOfTheSortKeyIsFound) {
  EXPECT_EQ(Judge("filter-for-key", FilteredBy("status")),
            "warning [shop pattern p key status]: The filter of 1 call tests `status`, with whose "
            "value the sort keys begin. (measured)");
}

TEST(FilterForKeyRule, OtherFiltersAreClean) {
  EXPECT_EQ(Judge("filter-for-key", FilteredBy("order_id")), "clean");
  Measurement narrowed = FilteredBy("status");
  narrowed.patterns[0].members[0].key.push_back({"SK", "begins_with", "{status}#", ""});
  EXPECT_EQ(Judge("filter-for-key", narrowed), "clean");
}

TEST(FilterForKeyRule, NeedsQueries) {
  EXPECT_EQ(Judge("filter-for-key", ShopWith({OnePattern("Scan", "scan", 9)})),
            "not assessed: No queries were seen.");
}

// --- Rule 4 ---

Measurement Unbounded(double items_a_call, std::uint64_t inserted) {
  Measurement measurement = ShopMeasurement();
  PatternMeasure query = QueryPattern(3);
  query.call.items_examined.Add(items_a_call, 3);
  measurement.patterns = {query};
  EntityMeasure order = EntityOf("Order", "CUST#{id}", "ORDER#{id}", 500);
  order.inserted = inserted;
  order.removed = 5;
  measurement.entities = {order, EntityOf("Product", "PRODUCT#{sku}", "INFO", 9)};
  return measurement;
}

TEST(UnboundedQueryRule, LargeGrowingCollectionIsFound) {
  EXPECT_EQ(
      Judge("unbounded-query", Unbounded(100, 15)),
      "warning [shop pattern p]: A call reads up to 100 items (p99), and the entities that it "
      "reads grew by 10 items. (measured)");
  EXPECT_EQ(Judge("unbounded-query", Unbounded(1000, 15)),
            "severe [shop pattern p]: A call reads up to 1,000 items (p99), and the entities that "
            "it reads grew by 10 items. (measured)");
}

TEST(UnboundedQueryRule, SmallOrConstantCollectionsAreClean) {
  EXPECT_EQ(Judge("unbounded-query", Unbounded(99, 15)), "clean");
  EXPECT_EQ(Judge("unbounded-query", Unbounded(100, 5)), "clean");
}

TEST(UnboundedQueryRule, NeedsUnboundedQueriesOfWhatIsWritten) {
  const std::string missing =
      "not assessed: No query without a Limit was seen on entities that were written meanwhile.";
  Measurement limited = Unbounded(100, 15);
  limited.patterns[0].members[0].limit = 10;
  EXPECT_EQ(Judge("unbounded-query", limited), missing);
  Measurement narrowed = Unbounded(100, 15);
  narrowed.patterns[0].members[0].key.push_back({"SK", ">", "ORDER#{date}", ""});
  EXPECT_EQ(Judge("unbounded-query", narrowed), missing);
  Measurement unwritten = Unbounded(100, 0);
  unwritten.entities[0].removed = 0;
  EXPECT_EQ(Judge("unbounded-query", unwritten), missing);
}

// --- Rule 5 ---

TEST(LargePagesRule, PagesNearOneMegabyteAreFound) {
  PatternMeasure query = QueryPattern(2);
  query.page.bytes_examined.Add(1024 * 1024, 3);
  query.page.bytes_examined.Add(100);
  EXPECT_EQ(Judge("large-pages", ShopWith({query})),
            "warning [shop pattern p]: 3 of 4 pages examined more than 900 KB, at most 1 MB. "
            "(measured)");
}

TEST(LargePagesRule, SmallerPagesAreClean) {
  PatternMeasure query = QueryPattern(2);
  query.call.bytes_examined.Add(900 * 1024, 2);
  EXPECT_EQ(Judge("large-pages", ShopWith({query})), "clean");
}

TEST(LargePagesRule, SeveralPagesEachTimeAreFoundUnlessALimitAsksForThem) {
  PatternMeasure query = QueryPattern(10);
  query.pages_a_call.Add(1, 4);
  query.pages_a_call.Add(2, 6);
  Measurement measurement = ShopWith({query});
  EXPECT_EQ(Judge("large-pages", measurement),
            "warning [shop pattern p]: Half of 10 calls needed at least 2 pages. (measured)");
  measurement.patterns[0].members[0].limit = 25;
  EXPECT_EQ(Judge("large-pages", measurement), "clean");
  measurement.patterns[0].members[0].limit = 0;
  measurement.patterns[0].calls = 9;
  EXPECT_EQ(Judge("large-pages", measurement), "clean");
}

TEST(LargePagesRule, NeedsQueriesOrScans) {
  EXPECT_EQ(Judge("large-pages", ShopMeasurement()),
            "not assessed: No queries or scans were seen.");
}

// --- Rule 7 ---

Measurement Mixed(std::vector<std::string> projected) {
  Measurement measurement = ShopMeasurement();
  PatternMeasure query = QueryPattern(10);
  query.members[0].projected_attributes = std::move(projected);
  measurement.patterns = {query};
  EntityMeasure user = EntityOf("User", "CUST#{id}", "PROFILE", 5);
  user.attributes = {{.name = "email"}, {.name = "created"}};
  EntityMeasure order = EntityOf("Order", "CUST#{id}", "ORDER#{id}", 5);
  order.attributes = {{.name = "total"}, {.name = "created"}};
  measurement.entities = {user, order};
  return measurement;
}

TEST(MixedPagesRule, ProjectionOfOneEntityIsFound) {
  EXPECT_EQ(Judge("mixed-pages", Mixed({"created", "total"})),
            "hint [shop pattern p entity Order (CUST#{id}, ORDER#{id})]: 10 calls asked for "
            "`total`, which of 2 kinds of items on these pages only one has. (measured)");
}

TEST(MixedPagesRule, ProjectionOfWhatAllHaveIsClean) {
  EXPECT_EQ(Judge("mixed-pages", Mixed({"created"})), "clean");
}

TEST(MixedPagesRule, NeedsPagesOfSeveralEntities) {
  Measurement measurement = Mixed({"total"});
  measurement.patterns[0].members[0].key.push_back({"SK", "begins_with", "ORDER#", ""});
  EXPECT_EQ(Judge("mixed-pages", measurement),
            "not assessed: No query with a filter or a projection, of pages with several entities, "
            "had 10 calls.");
}

TEST(MixedPagesRule, ARangeOfOneEntityMeetsNoOther) {
  Measurement measurement = Mixed({"total"});
  std::vector<KeyTerm>& key = measurement.patterns[0].members[0].key;
  key.push_back({"SK", "BETWEEN", "ORDER#{time}", "ORDER#{time}"});
  EXPECT_EQ(Judge("mixed-pages", measurement),
            "not assessed: No query with a filter or a projection, of pages with several entities, "
            "had 10 calls.");
  key.back() = {"SK", "BETWEEN", "ORDER#{time}", "PROFILE"};
  EXPECT_EQ(Judge("mixed-pages", measurement),
            "hint [shop pattern p entity Order (CUST#{id}, ORDER#{id})]: 10 calls asked for "
            "`total`, which of 2 kinds of items on these pages only one has. (measured)");
}

// --- Rule 8 ---

Measurement Projected(double returned_bytes, std::uint64_t calls) {
  PatternMeasure get = OnePattern("GetItem", "get", calls);
  get.members[0].projection = "a";
  get.call.bytes_examined.Add(16'384, calls);
  get.call.bytes_returned.Add(returned_bytes, calls);
  get.call.items_examined.Add(1, calls);
  get.call.items_returned.Add(1, calls);
  get.units = {{"shop", "", 2.0 * static_cast<double>(calls), 0}};
  return ShopWith({get});
}

TEST(NarrowProjectionRule, DroppedBytesAreFound) {
  // Of 4 steps of 4 KB one is left: 3/4 of 2 units a call.
  EXPECT_EQ(Judge("narrow-projection", Projected(2048, 10)),
            "warning [shop pattern p]: 10 calls read 16 KB each, and the projection kept 12.5 % of "
            "an item. (measured); US$ 0.188 per million calls of this mix for reading what the "
            "projection drops (modelled)");
}

TEST(NarrowProjectionRule, QuarterIsClean) {
  EXPECT_EQ(Judge("narrow-projection", Projected(4096, 10)), "clean");
}

TEST(NarrowProjectionRule, SmallItemsAreClean) {
  Measurement measurement = Projected(100, 10);
  measurement.patterns[0].call.bytes_examined = {};
  measurement.patterns[0].call.bytes_examined.Add(4096, 10);
  EXPECT_EQ(Judge("narrow-projection", measurement), "clean");
}

TEST(NarrowProjectionRule, NeedsTenCalls) {
  EXPECT_EQ(Judge("narrow-projection", Projected(100, 9)),
            "not assessed: No pattern with a projection had 10 calls.");
}

// --- Rule 11 ---

Measurement StrongReads(double strong_units, double write_units) {
  PatternMeasure get = OnePattern("GetItem", "get", 50);
  get.members[0].consistent = true;
  get.units = {{"shop", "", strong_units, 0}};
  PatternMeasure put = OnePattern("PutItem", "put", 50);
  put.id = "w";
  put.units = {{"shop", "", 0, write_units}};
  return ShopWith({get, put});
}

TEST(StrongReadsRule, LargePartOfTheBillIsFound) {
  // Reads US$ 6.25 a million, writes US$ 31.25: a sixth. Half of it in 100 calls is 250,000 units.
  EXPECT_EQ(Judge("strong-reads", StrongReads(50, 50)),
            "warning [shop pattern p]: 50 calls took 50 read units with strong consistency, 16.7 % "
            "of the bill for calls; all such reads are 16.7 % of it. (measured); US$ 0.0312 per "
            "million calls of this mix for strong consistency (modelled)");
}

TEST(StrongReadsRule, TenthOfTheBillIsClean) {
  EXPECT_EQ(Judge("strong-reads", StrongReads(50, 90)), "clean");
}

TEST(StrongReadsRule, NeedsUnits) {
  const std::string missing =
      "not assessed: No reads were seen, or all calls took fewer than 100 units.";
  EXPECT_EQ(Judge("strong-reads", StrongReads(50, 49)), missing);
  EXPECT_EQ(Judge("strong-reads", StrongReads(0, 500)), missing);
}

}  // namespace
}  // namespace hashrange
