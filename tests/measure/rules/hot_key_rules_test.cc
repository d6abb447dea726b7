#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// Makes the partitions of the first table serve a tenth of what is usual.
Measurement AtATenth(Measurement measurement) {
  measurement.tables[0].partition_limits.read_units = 300;
  measurement.tables[0].partition_limits.write_units = 100;
  return measurement;
}

// --- Rule 25 ---

Measurement Customers(std::string key, std::uint64_t items, double write_units) {
  Measurement measurement = ShopMeasurement();
  EntityMeasure customer = EntityOf("Customer", "CUST#{id}", "METADATA", items);
  customer.indexes = {{"GSI1", items, 100, std::move(key), "{created_at}"}};
  customer.units = {{"shop", "GSI1", 0, write_units}};
  measurement.entities = {customer};
  AddIndexTemplates(&measurement);
  return measurement;
}

TEST(ConstantKeyRule, ValuesAreNoConstants) {
  // Two names of users, where no third was seen.
  Measurement measurement = ShopMeasurement();
  measurement.entities = {EntityOf("Note", "ann", "{id}", 10), EntityOf("Note", "bob", "{id}", 10)};
  EXPECT_EQ(Judge("constant-partition-key", measurement), "clean");
  for (EntityMeasure& entity : measurement.entities) entity.type.clear();
  EXPECT_EQ(Judge("constant-partition-key", measurement), "clean");
  // Other items of the entity have another literal.
  Measurement statuses = Customers("STATUS#open", 200, 3);
  statuses.entities[0].indexes[0].has_other_partition_keys = true;
  EXPECT_EQ(Judge("constant-partition-key", statuses), "clean");
  EXPECT_EQ(Judge("constant-partition-key", Customers("CUST#{id}", 500, 3)), "clean");
}

TEST(ConstantKeyRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"word as index key is found", Customers("CUSTOMER", 10, 3),
       "warning [shop/GSI1 entity Customer (CUST#{id}, METADATA) key GSI1PK=CUSTOMER]: 10 items of "
       "the entity, all that the index has, are under this one key; writing them took 3 write "
       "units. (measured)"},
      {"a few items tell nothing", Customers("CUSTOMER", 9, 9), "clean"},
      {"many written items are severe", Customers("CUSTOMER", 100, 3),
       "severe [shop/GSI1 entity Customer (CUST#{id}, METADATA) key GSI1PK=CUSTOMER]: 100 items of "
       "the entity, all that the index has, are under this one key; writing them took 3 write "
       "units. (measured)"},
      {"unwritten items are a hint", Customers("CUSTOMER", 100, 0),
       "hint [shop/GSI1 entity Customer (CUST#{id}, METADATA) key GSI1PK=CUSTOMER]: 100 items of "
       "the entity, all that the index has, are under this one key; writing them took 0 write "
       "units. (measured)"},
      {"99 items of a key of two tokens tell nothing", Customers("USER#ann", 99, 3), "clean"},
      {"100 items of a key of two tokens are found", Customers("POST#PUBLISHED", 100, 0),
       "hint [shop/GSI1 entity Customer (CUST#{id}, METADATA) key GSI1PK=POST#PUBLISHED]: 100 "
       "items of the entity, all that the index has, are under this one key; writing them took 0 "
       "write units. (measured)"},
      {"key of a table is found",
       Changed(ShopMeasurement(),
               [](auto& shop) { shop.entities = {EntityOf("Order", "ORDERS", "{id}", 10)}; }),
       "hint [shop entity Order (ORDERS, {id}) key PK=ORDERS]: 10 items of the entity, all that "
       "the table has, are under this one key; writing them took 0 write units. (measured)"},
      // Where there are few items, the values in their own keys are literals, too.
      {"entities of one kind are taken together",
       Changed(Customers("CUSTOMER", 5, 1),
               [](auto& shop) {
                 shop.entities.push_back(shop.entities[0]);
                 shop.entities[0].partition_key = "CUST#c1";
                 shop.entities[1].partition_key = "CUST#c2";
               }),
       "warning [shop/GSI1 entity Customer key GSI1PK=CUSTOMER]: 10 items of the entity, all that "
       "the index has, are under this one key; writing them took 2 write units. (measured)"},
      {"needs items",
       Changed(ShopMeasurement(),
               [](auto& shop) { shop.entities = {EntityOf("Note", "ann", "{id}", 9)}; }),
       "not assessed: Too few items of each entity are stored to tell a constant key from a "
       "value."},
  };
  ExpectJudged("constant-partition-key", rows);
}

// --- Rule 26 ---

Measurement SignUps(double units_of_key, double error) {
  PatternMeasure sign_up = OnePattern("PutItem", "put", 100);
  sign_up.name = "sign up";
  sign_up.units = {{"shop", "", 0, 100}, {"shop", "GSI1", 0, 100}};
  Measurement measurement = ShopWith({sign_up});
  ResourceMeasure index{.table = "shop", .index = "GSI1", .write_units = 100};
  index.written_keys = {100, 0, {{"GSI1PK=CUSTOMER", "GSI1PK=CUSTOMER", units_of_key, error}}};
  measurement.resources = {index};
  return measurement;
}

RuleInput AtRate(double calls_per_second) { return {.rates = {{"sign up", calls_per_second}}}; }

TEST(HotKeyRule, ReadsHaveALimitOfTheirOwn) {
  Measurement measurement = SignUps(0, 0);
  measurement.patterns[0].units = {{"shop", "GSI1", 100, 0}};
  measurement.resources[0].written_keys = {};
  measurement.resources[0].read_keys = {100, 0, {{"GSI1PK=A", "", 100, 0}}};
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(4500)), "clean");
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(4600)),
            "severe [shop/GSI1 key GSI1PK=A]: The key had 100 % of the read units; at the declared "
            "rates it needs 4,600 units a second of at most 4,500. (extrapolated)");
  measurement.patterns[0].members[0].consistent = true;
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(3000)), "clean");
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(3100)),
            "severe [shop/GSI1 key GSI1PK=A]: The key had 100 % of the read units; at the declared "
            "rates it needs 3,100 units a second of at most 3,000. (extrapolated)");
}

// Nine of ten writes of the index are orders, which have no declared rate and no such key.
TEST(HotKeyRule, RatesOfOtherPatternsDoNotCount) {
  Measurement measurement = SignUps(100, 0);
  measurement.patterns[0].members[0].key = {{"PK", "=", "CUST#{id}", ""}};
  PatternMeasure order = measurement.patterns[0];
  order.id = order.name = "order";
  order.members[0].key[0].value = "ORDER#{id}";
  order.calls = order.requests = 900;
  order.units = {{"shop", "GSI1", 0, 900}};
  measurement.patterns.push_back(order);
  measurement.resources[0].written_keys.total_units = 1000;
  EntityMeasure customer = EntityOf("", "CUST#{id}", "META", 100);
  customer.indexes = {{"GSI1", 100, 100, "CUSTOMER", "{date}"}};
  customer.units = {{"shop", "GSI1", 0, 100}};
  EntityMeasure stored = EntityOf("", "ORDER#{id}", "META", 900);
  stored.indexes = {{"GSI1", 900, 100, "CUST#{id}", "{date}"}};
  stored.units = {{"shop", "GSI1", 0, 900}};
  measurement.entities = {customer, stored};
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(1000)), "clean");
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(1001)),
            "severe [shop/GSI1 key GSI1PK=CUSTOMER]: The key had 10 % of the write units; at the "
            "declared rates it needs 1,001 units a second of at most 1,000. (extrapolated)");
}

// 60 units of the table and 100 of the index are 160 of 200, of 2 units a call.
TEST(HotKeyRule, ALocalIndexAddsToTheKeysOfItsTable) {
  Measurement measurement = SignUps(100, 0);
  measurement.tables[0].indexes = {{.name = "GSI1", .is_local = true}};
  measurement.resources[0].written_keys = {100, 0, {{"PK=A", "PK=A", 100, 0}}};
  ResourceMeasure table{.table = "shop", .write_units = 100};
  table.written_keys = {100, 0, {{"PK=A", "PK=A", 60, 0}}};
  measurement.resources.push_back(table);
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(600)), "clean");
  EXPECT_EQ(Judge("hot-key-at-peak", measurement, AtRate(1000)),
            "severe [shop key PK=A]: The key had 80 % of the write units; at the declared rates it "
            "needs 1,600 units a second of at most 1,000. (extrapolated)");
}

TEST(HotKeyRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No pattern with a declared rate is known to use the hottest keys, or fewer "
      "than 100 units were seen.";
  const JudgedRow rows[] = {
      {"key above its limit is severe", SignUps(100, 0),
       "severe [shop/GSI1 key GSI1PK=CUSTOMER]: The key had 100 % of the write units; at the "
       "declared rates it needs 1,200 units a second of at most 1,000. (extrapolated)",
       AtRate(1200)},
      {"error of the counters makes it a warning", SignUps(100, 20),
       "warning [shop/GSI1 key GSI1PK=CUSTOMER]: The key had 100 % of the write units; at the "
       "declared rates it needs 960 to 1,200 units a second of at most 1,000. (extrapolated)",
       AtRate(1200)},
      {"key at its limit is clean", SignUps(100, 0), "clean", AtRate(1000)},
      {"key has the limit of its table", AtATenth(SignUps(100, 0)),
       "severe [shop/GSI1 key GSI1PK=CUSTOMER]: The key had 100 % of the write units; at the "
       "declared rates it needs 120 units a second of at most 100. (extrapolated)",
       AtRate(120)},
      {"half of the units at twice the rate are clean", SignUps(50, 0), "clean", AtRate(2000)},
      {"largest share of a window counts",
       Changed(SignUps(10, 0),
               [](auto& shop) {
                 shop.resources[0].hot_windows = {{.direction = "write",
                                                   .key = {"GSI1PK=DAY#2", "", 90, 0},
                                                   .total_units = 100}};
               }),
       "severe [shop/GSI1 key GSI1PK=DAY#2]: The key had 90 % of the write units; at the declared "
       "rates it needs 1,800 units a second of at most 1,000. (extrapolated)",
       AtRate(2000)},
      {"needs rates", SignUps(100, 0), "not assessed: No rates of patterns were declared."},
      {"needs rates of the patterns that were seen",
       SignUps(100, 0),
       missing,
       {.rates = {{"sign in", 9000}}}},
      {"needs 100 units",
       Changed(SignUps(99, 0), [](auto& shop) { shop.resources[0].written_keys.total_units = 99; }),
       missing, AtRate(9000)},
  };
  ExpectJudged("hot-key-at-peak", rows);
}

// --- Rule 27 ---

Measurement Metrics(std::string kind) {
  Measurement measurement = ShopMeasurement();
  KeyTemplateMeasure keys{.table = "shop", .attribute = "PK", .text = "METRICS#{date}"};
  keys.items = 50;
  keys.placeholders = {{.text = "date", .kind = std::move(kind)}};
  measurement.key_templates = {keys};
  ResourceMeasure table{.table = "shop"};
  table.written_keys = {200, 0, {{"PK=METRICS#2026-01-01", "PK=METRICS#{date}", 100, 0}}};
  measurement.resources = {table};
  return measurement;
}

TEST(DateKeyRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"date that takes most writes is a warning", Metrics("date"),
       "warning [shop key PK=METRICS#{date}]: 50 items have a partition key that is a date, and "
       "one of these keys took most writes of a time. (measured)"},
      {"date with few writes is a hint",
       Changed(Metrics("date"),
               [](auto& shop) { shop.resources[0].written_keys.keys[0].units = 99; }),
       "hint [shop key PK=METRICS#{date}]: 50 items have a partition key that is a date. "
       "(measured)"},
      {"date beside another part is clean",
       Changed(Metrics("date"),
               [](auto& shop) {
                 shop.key_templates[0].placeholders.push_back({.text = "host", .kind = "text"});
               }),
       "clean"},
      {"another part is clean", Metrics("uuid"), "clean"},
      {"needs items", ShopMeasurement(), "not assessed: No items are stored."},
  };
  ExpectJudged("date-partition-key", rows);
}

Measurement Rising(std::uint64_t rising, double units_of_key) {
  Measurement measurement = ShopMeasurement();
  ResourceMeasure table{.table = "shop"};
  table.writes_in_order_known = 1000;
  table.rising_writes = rising;
  table.written_keys = {1000, 0, {{"PK=LOG", "PK=LOG", units_of_key, 0}}};
  measurement.resources = {table};
  return measurement;
}

// Returns the same of 90 % in order, at so many units a second in one collection.
Measurement RisingAt(double units_a_second) {
  Measurement measurement = Rising(900, 60 * units_a_second);
  measurement.ended_epoch_ms = 60'000;
  measurement.resources[0].written_keys.total_units = 60 * 1000;
  return measurement;
}

TEST(RisingSortKeyRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"busy collection that grows at its end is found, if at an unknown rate", Rising(900, 100),
       "hint [shop key PK=LOG]: 90 % of 1,000 writes had a greater sort key than the write "
       "before in their collection, and this collection took at least 10 % of the write units. "
       "(measured)"},
      {"half of what a partition serves is a warning", RisingAt(500),
       "warning [shop key PK=LOG]: 90 % of 1,000 writes had a greater sort key than the write "
       "before in their collection, and this collection took at least 50 % of the write units. "
       "(measured)"},
      {"less is far from the limit", RisingAt(499), "clean"},
      {"less is far from the limit of small partitions", AtATenth(RisingAt(49)), "clean"},
      {"less than 90 % in order is clean", Rising(899, 100), "clean"},
      {"less than 10 % in one collection is clean", Rising(1000, 99), "clean"},
      {"needs a thousand units",
       Changed(Rising(1000, 900),
               [](auto& shop) { shop.resources[0].written_keys.total_units = 999; }),
       "not assessed: No table or index took 1,000 write units in collections that were written "
       "repeatedly."},
  };
  ExpectJudged("rising-sort-key", rows);
}

// --- Rule 28 ---

Measurement Counter(double units) {
  Measurement measurement = ShopMeasurement();
  measurement.ended_epoch_ms = 60'000;
  PatternMeasure pattern = OnePattern("UpdateItem", "update", 60'000);
  pattern.name = "count";
  pattern.members[0].key = {{"PK", "=", "STATS", ""}, {"SK", "=", "VIEWS", ""}};
  pattern.members[0].update = "ADD n ?";
  pattern.units = {{"shop", "", 0, 60'000}};
  measurement.patterns = {pattern};
  ResourceMeasure table{.table = "shop", .write_units = 60'000};
  table.written_items = {60'000, 0, {{"PK=STATS, SK=VIEWS", "PK=STATS, SK=VIEWS", units, 0}}};
  measurement.resources = {table};
  return measurement;
}

TEST(HotCounterRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No updates of counters were seen at declared rates, or for a minute.";
  const JudgedRow rows[] = {
      {"counter near its limit is found", Counter(48'000),
       "warning [shop pattern p key PK=STATS, SK=VIEWS]: The counter took at least 800 write units "
       "a second, of 1,000 that an item has. (measured)"},
      {"less than 80 % of the limit is clean", Counter(47'900), "clean"},
      {"counter near the limit of small partitions is found", AtATenth(Counter(4'800)),
       "warning [shop pattern p key PK=STATS, SK=VIEWS]: The counter took at least 80 write units "
       "a second, of 100 that an item has. (measured)"},
      {"less than 80 % of the limit of small partitions is clean", AtATenth(Counter(4'790)),
       "clean"},
      // It was measured at 1,000 a second, and is declared at 1,000 or 700.
      {"lower declared rate is taken before the measured one",
       Counter(60'000),
       "clean",
       {.rates = {{"count", 700}}}},
      {"declared rate is taken before the measured one",
       Counter(60'000),
       "severe [shop pattern p key PK=STATS, SK=VIEWS]: The counter takes at least 1,000 write "
       "units a second at the declared rates, of 1,000 that an item has. (extrapolated)",
       {.rates = {{"count", 1000}}}},
      {"other item is clean",
       Changed(Counter(60'000),
               [](auto& shop) {
                 shop.resources[0].written_items.keys[0].shape = "PK=OTHER, SK=VIEWS";
               }),
       "clean"},
      {"without a sort key, a counter is its partition key",
       Changed(Counter(60'000),
               [](auto& shop) {
                 shop.tables[0].range.clear();
                 shop.patterns[0].members[0].key.pop_back();
                 ResourceMeasure& table = shop.resources[0];
                 table.written_items = {};
                 table.written_keys = {60'000, 0, {{"PK=STATS", "PK=STATS", 48'000, 0}}};
               }),
       "warning [shop pattern p key PK=STATS]: The counter took at least 800 write units a second, "
       "of 1,000 that an item has. (measured)"},
      {"needs a minute or rates",
       Changed(Counter(60'000), [](auto& shop) { shop.ended_epoch_ms = 59'999; }), missing},
      {"needs a counter",
       Changed(Counter(60'000),
               [](auto& shop) { shop.patterns[0].members[0].update = "SET n = ?"; }),
       missing},
  };
  ExpectJudged("hot-counter", rows);
}

// --- Rule 30 ---

constexpr std::int64_t kGigabyte = 1'073'741'824;

Measurement LocalIndex(double largest_gigabytes) {
  Measurement measurement = ShopMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.size_bytes = 16 * kGigabyte;
  table.size_bytes_at_begin = table.size_bytes;
  table.indexes.push_back({.name = "ByDate", .is_local = true, .size_bytes = 16 * kGigabyte});
  ResourceMeasure resource{.table = "shop"};
  resource.collections.size_bytes.Add(largest_gigabytes * static_cast<double>(kGigabyte));
  measurement.resources = {resource};
  return measurement;
}

TEST(LocalIndexRule, GrowthOfAnHourTellsTheDays) {
  Measurement measurement = LocalIndex(0.25);
  measurement.ended_epoch_ms = 3'600'000;
  measurement.tables[0].size_bytes_at_begin = measurement.tables[0].size_bytes - kGigabyte;
  // The collection, 0.5 GB with its index, has 1/32 of 1 GB an hour: 0.75 GB a day, 9.5 GB to go.
  EXPECT_EQ(Judge("local-index", measurement),
            "severe [shop/ByDate]: The largest collection has about 512 MB of 10 GB; with its part "
            "of the table's growth it is full in 13 days. (extrapolated)");
  measurement.ended_epoch_ms = 3'599'999;
  EXPECT_EQ(Judge("local-index", measurement),
            "hint [shop/ByDate]: The largest collection has about 512 MB of 10 GB. (modelled)");
}

TEST(LocalIndexRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"8 of 10 GB are severe", LocalIndex(4),
       "severe [shop/ByDate]: The largest collection has about 8 GB of 10 GB. (modelled)"},
      {"a tenth is a warning", LocalIndex(0.5),
       "warning [shop/ByDate]: The largest collection has about 1 GB of 10 GB. (modelled)"},
      {"less is a hint", LocalIndex(0.25),
       "hint [shop/ByDate]: The largest collection has about 512 MB of 10 GB. (modelled)"},
      {"global indexes are clean", ShopMeasurement(), "clean"},
      {"needs tables", Measurement(), "not assessed: No tables are stored."},
      {"needs tables that are there",
       Changed(LocalIndex(4), [](auto& shop) { shop.tables[0].is_deleted = true; }),
       "not assessed: No tables are stored."},
  };
  ExpectJudged("local-index", rows);
}

}  // namespace
}  // namespace hashrange
