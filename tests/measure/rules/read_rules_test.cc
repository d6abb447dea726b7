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

TEST(ScanRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // 2 units in 10 calls are 200,000 units in a million calls, at US$ 0.125 for a million
      // units.
      {"scan is a warning", Scanned(2, 8),
       "warning [shop pattern p]: 2 calls scanned 26 items and took 2 read units. (measured); US$ "
       "0.025 per million calls of this mix for the scan (measured)"},
      {"fifth of many units is severe", Scanned(20, 80),
       "severe [shop pattern p]: 2 calls scanned 26 items and took 20 read units, 20 % of all. "
       "(measured); US$ 0.25 per million calls of this mix for the scan (measured)"},
      {"less than a fifth is a warning", Scanned(19.5, 80.5),
       "warning [shop pattern p]: 2 calls scanned 26 items and took 19.5 read units. (measured); "
       "US$ 0.244 per million calls of this mix for the scan (measured)"},
      {"other reads are clean",
       Changed(Scanned(2, 8), [](auto& shop) { shop.patterns.erase(shop.patterns.begin()); }),
       "clean"},
      {"needs reads", ShopWith({OnePattern("PutItem", "put", 9)}),
       "not assessed: No reads were seen."},
  };
  ExpectJudged("scan", rows);
}

// --- Rule 2 ---

Measurement Filtered(double examined, double returned) {
  PatternMeasure query = QueryPattern(10);
  query.call.items_examined.Add(examined / 10, 10);
  query.call.items_returned.Add(returned / 10, 10);
  query.units = {{"shop", "", 30, 0}};
  return ShopWith({query});
}

TEST(ExaminedRule, JudgesWhatWasMeasured) {
  const std::string missing = "not assessed: No pattern of 10 queries or scans examined 100 items.";
  const JudgedRow rows[] = {
      // 30 units × 29/30 in 10 calls are 2.9 million units in a million calls.
      {"many examined for one is severe", Filtered(1200, 40),
       "severe [shop pattern p]: 10 calls examined 1,200 items to return 40: 30 for one. "
       "(measured); US$ 0.363 per million calls of this mix for reading what the filter drops "
       "(modelled)"},
      {"two for one is a warning", Filtered(100, 50),
       "warning [shop pattern p]: 10 calls examined 100 items to return 50: 2 for one. (measured); "
       "US$ 0.188 per million calls of this mix for reading what the filter drops (modelled)"},
      {"less than two for one is clean", Filtered(190, 100), "clean"},
      {"nothing returned is severe", Filtered(100, 0),
       "severe [shop pattern p]: 10 calls examined 100 items to return 0: none of them was what "
       "the calls looked for. (measured); US$ 0.375 per million calls of this mix for reading what "
       "the filter drops (modelled)"},
      {"needs a hundred items", Filtered(90, 0), missing},
      {"needs ten calls",
       Changed(Filtered(1200, 40), [](auto& shop) { shop.patterns[0].calls = 9; }), missing},
  };
  ExpectJudged("examined-per-returned", rows);
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

TEST(FilterForKeyRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"filter on the type is found", FilteredBy("Type"),
       "warning [shop pattern p key Type]: The filter of 1 call tests `Type`, which tells the type "
       "of the entity. (measured)"},
      {"filter on the beginning of the sort key is found", FilteredBy("status"),
       "warning [shop pattern p key status]: The filter of 1 call tests `status`, with whose value "
       "the sort keys begin. (measured)"},
      {"filter on another part is clean", FilteredBy("order_id"), "clean"},
      {"filter beside a condition on the sort key is clean",
       Changed(FilteredBy("status"),
               [](auto& shop) {
                 shop.patterns[0].members[0].key.push_back({"SK", "begins_with", "{status}#", ""});
               }),
       "clean"},
      {"needs queries", ShopWith({OnePattern("Scan", "scan", 9)}),
       "not assessed: No queries were seen."},
  };
  ExpectJudged("filter-for-key", rows);
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

TEST(UnboundedQueryRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No query without a Limit was seen on entities that were written meanwhile.";
  const JudgedRow rows[] = {
      {"large growing collection is a warning", Unbounded(100, 15),
       "warning [shop pattern p]: A call reads up to 100 items (p99), and the entities that it "
       "reads grew by 10 items. (measured)"},
      {"very large growing collection is severe", Unbounded(1000, 15),
       "severe [shop pattern p]: A call reads up to 1,000 items (p99), and the entities that it "
       "reads grew by 10 items. (measured)"},
      {"small collection is clean", Unbounded(99, 15), "clean"},
      {"constant collection is clean", Unbounded(100, 5), "clean"},
      {"needs a query without a Limit",
       Changed(Unbounded(100, 15), [](auto& shop) { shop.patterns[0].members[0].limit = 10; }),
       missing},
      {"needs a query without a condition on the sort key",
       Changed(Unbounded(100, 15),
               [](auto& shop) {
                 shop.patterns[0].members[0].key.push_back({"SK", ">", "ORDER#{date}", ""});
               }),
       missing},
      {"needs writes", Changed(Unbounded(100, 0), [](auto& shop) { shop.entities[0].removed = 0; }),
       missing},
  };
  ExpectJudged("unbounded-query", rows);
}

// --- Rule 5 ---

// Queries of which most needed two pages.
Measurement SeveralPages(std::uint64_t calls, std::int64_t limit) {
  PatternMeasure query = QueryPattern(calls);
  query.pages_a_call.Add(1, 4);
  query.pages_a_call.Add(2, 6);
  query.members[0].limit = limit;
  return ShopWith({query});
}

TEST(LargePagesRule, JudgesWhatWasMeasured) {
  PatternMeasure large = QueryPattern(2), smaller = QueryPattern(2);
  large.page.bytes_examined.Add(1024 * 1024, 3);
  large.page.bytes_examined.Add(100);
  smaller.call.bytes_examined.Add(900 * 1024, 2);
  const JudgedRow rows[] = {
      {"pages near 1 MB are found", ShopWith({large}),
       "warning [shop pattern p]: 3 of 4 pages examined more than 900 KB, at most 1 MB. "
       "(measured)"},
      {"smaller pages are clean", ShopWith({smaller}), "clean"},
      {"several pages each time are found", SeveralPages(10, 0),
       "warning [shop pattern p]: Half of 10 calls needed at least 2 pages. (measured)"},
      {"pages that a Limit asks for are clean", SeveralPages(10, 25), "clean"},
      {"several pages of few calls are clean", SeveralPages(9, 0), "clean"},
      {"needs queries or scans", ShopMeasurement(), "not assessed: No queries or scans were seen."},
  };
  ExpectJudged("large-pages", rows);
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

TEST(MixedPagesRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"projection of one entity is found", Mixed({"created", "total"}),
       "hint [shop pattern p entity Order (CUST#{id}, ORDER#{id})]: 10 calls asked for `total`, "
       "which of 2 kinds of items on these pages only one has. (measured)"},
      {"projection of what all have is clean", Mixed({"created"}), "clean"},
      {"needs pages of several entities",
       Changed(Mixed({"total"}),
               [](auto& shop) {
                 shop.patterns[0].members[0].key.push_back({"SK", "begins_with", "ORDER#", ""});
               }),
       "not assessed: No query with a filter or a projection, of pages with several entities, had "
       "10 calls."},
  };
  ExpectJudged("mixed-pages", rows);
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

TEST(NarrowProjectionRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // Of 4 steps of 4 KB one is left: 3/4 of 2 units a call.
      {"dropped bytes are found", Projected(2048, 10),
       "warning [shop pattern p]: 10 calls read 16 KB each, and the projection kept 12.5 % of an "
       "item. (measured); US$ 0.188 per million calls of this mix for reading what the projection "
       "drops (modelled)"},
      {"quarter is clean", Projected(4096, 10), "clean"},
      {"small items are clean",
       Changed(Projected(100, 10),
               [](auto& shop) {
                 shop.patterns[0].call.bytes_examined = {};
                 shop.patterns[0].call.bytes_examined.Add(4096, 10);
               }),
       "clean"},
      {"needs ten calls", Projected(100, 9),
       "not assessed: No pattern with a projection had 10 calls."},
  };
  ExpectJudged("narrow-projection", rows);
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

TEST(StrongReadsRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No reads were seen, or all calls took fewer than 100 units.";
  const JudgedRow rows[] = {
      // Reads US$ 6.25 a million, writes US$ 31.25: a sixth. Half of it in 100 calls is 250,000
      // units.
      {"large part of the bill is found", StrongReads(50, 50),
       "warning [shop pattern p]: 50 calls took 50 read units with strong consistency, 16.7 % of "
       "the bill for calls; all such reads are 16.7 % of it. (measured); US$ 0.0312 per million "
       "calls of this mix for strong consistency (modelled)"},
      {"tenth of the bill is clean", StrongReads(50, 90), "clean"},
      {"needs 100 units", StrongReads(50, 49), missing},
      {"needs reads", StrongReads(0, 500), missing},
  };
  ExpectJudged("strong-reads", rows);
}

}  // namespace
}  // namespace hashrange
