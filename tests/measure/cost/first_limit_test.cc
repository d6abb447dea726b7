#include "measure/cost/first_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "measure/four_partitions.h"
#include "measure/partition_load.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

// Returns the rows of a kind.
std::vector<LimitRow> RowsOf(const std::vector<LimitRow>& rows, const std::string& what) {
  std::vector<LimitRow> found;
  for (const LimitRow& row : rows) {
    if (row.what == what) found.push_back(row);
  }
  return found;
}

// Only sign-ups. Each puts an item of its own into the table, and all of them are entered into GSI1
// under one key.
Measurement OnlySignUps() {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns.pop_back();
  measurement.resources[1].read_units = 0;
  measurement.resources[0].written_keys = {600, 0, {{"PK=CUST#1", "PK=CUST#{id}", 1, 0}}};
  measurement.resources[1].written_keys = {600, 0, {{"GSI1PK=CUSTOMER", "", 600, 0}}};
  return measurement;
}

// 40 units of the table and 40 of its local index in 50 calls are 1.6 units of the key a call. The
// table's hottest key is another one without its entries in the index.
TEST(FirstLimit, AKeyTakesWhatItsEntriesInALocalIndexTake) {
  Measurement measurement = OnlySignUps();
  measurement.patterns[0].calls = measurement.patterns[0].requests = 50;
  measurement.tables[0].indexes[0].is_local = true;
  measurement.resources[0].written_keys = {82, 0, {{"PK=B", "", 42, 0}, {"PK=A", "", 40, 0}}};
  measurement.resources[1].written_keys = {40, 0, {{"PK=A", "", 40, 0}}};
  const auto rows = RowsOf(FirstLimits(measurement, {}), "key");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key, "PK=A");
  EXPECT_EQ(rows[0].index, "");
  EXPECT_EQ(rows[0].least_calls_per_second, 625);
  // Puts of the key, which take a unit of the table and one of the index.
  measurement.patterns[0].members[0].key[0].value = "A";
  measurement.patterns[0].units = {{"shop", "", 0, 50}, {"shop", "GSI1", 0, 50}};
  const CallRate rates[] = {{"sign up", 600}};
  const auto declared = RowsOf(FirstLimits(measurement, rates), "key");
  ASSERT_EQ(declared.size(), 1u);
  EXPECT_DOUBLE_EQ(declared[0].multiple_of_declared, 1000 / 1200.0);
}

// Each call writes one unit under GSI1PK=CUSTOMER, of which a partition takes 1,000 a second.
TEST(FirstLimit, AConstantKeyTakesAThousandSignUpsASecond) {
  const auto rows = FirstLimits(OnlySignUps(), {});
  ASSERT_FALSE(rows.empty());
  const LimitRow& first = rows[0];
  EXPECT_EQ(first.sentence, "at 1,000 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes");
  EXPECT_EQ(first.least_calls_per_second, 1000);
  EXPECT_EQ(first.greatest_calls_per_second, 1000);
  EXPECT_EQ(first.index, "GSI1");
  EXPECT_EQ(first.what, "key");
  EXPECT_EQ(first.key, "GSI1PK=CUSTOMER");
  EXPECT_EQ(first.direction, "write");
  EXPECT_EQ(first.limit, 1000);
  EXPECT_EQ(first.multiple_of_declared, 0);
  // Then the quotas of the table and of GSI1, one unit a call; the table's hottest key has 1/600.
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1].sentence, "at 40,000 calls/s of this mix: shop, quota, writes");
  EXPECT_EQ(rows[2].sentence, "at 40,000 calls/s of this mix: GSI1, quota, writes");
  EXPECT_EQ(rows[3].sentence, "at 600,000 calls/s of this mix: shop, key PK=CUST#1, writes");
}

// Of ten calls six are sign-ups.
TEST(FirstLimit, OtherCallsOfTheMixCountToo) {
  Measurement measurement = SignUpMeasurement();
  measurement.resources[1].written_keys = {600, 0, {{"GSI1PK=CUSTOMER", "", 600, 0}}};
  const auto rows = FirstLimits(measurement, {});
  EXPECT_EQ(rows[0].sentence, "at 1,667 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes");
}

TEST(FirstLimit, FailedCallsAreNotPartOfTheMix) {
  Measurement measurement = OnlySignUps();
  measurement.patterns[0].calls = 1200;
  measurement.patterns[0].errors = {{"ValidationException", 600}};
  EXPECT_EQ(FirstLimits(measurement, {})[0].least_calls_per_second, 1000);
}

// 600 units at most, 500 at least, of 600 calls.
TEST(FirstLimit, TheErrorOfTheCountersMakesAnInterval) {
  Measurement measurement = OnlySignUps();
  measurement.resources[1].written_keys.keys[0].error = 100;
  const LimitRow first = FirstLimits(measurement, {})[0];
  EXPECT_EQ(first.sentence,
            "at 1,000 to 1,200 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes");
  EXPECT_DOUBLE_EQ(first.greatest_calls_per_second, 1200);
  measurement.resources[1].written_keys.keys[0].error = 600;
  EXPECT_TRUE(std::isinf(FirstLimits(measurement, {})[0].greatest_calls_per_second));
}

// Each day has its own key: a sixth of all writes, and all writes of its window.
TEST(FirstLimit, AKeyThatIsHotInOneWindowCounts) {
  Measurement measurement = OnlySignUps();
  measurement.resources[1].written_keys.keys[0] = {"GSI1PK=2026-11-22", "", 100, 0};
  HotWindow window{.begin_epoch_ms = 1'700'000'000'000, .length_ms = 60'000, .direction = "write"};
  window.key = {"GSI1PK=2026-11-22", "", 100, 0};
  window.total_units = 100;
  window.calls = 100;
  measurement.resources[1].hot_windows = {window};
  const LimitRow first = FirstLimits(measurement, {})[0];
  EXPECT_EQ(first.least_calls_per_second, 1000);
  EXPECT_EQ(first.window_begin_epoch_ms, 1'700'000'000'000);
}

TEST(FirstLimit, AWindowOfFewUnitsTellsNothing) {
  Measurement measurement = OnlySignUps();
  measurement.resources[1].written_keys.keys[0] = {"GSI1PK=2026-11-22", "", 100, 0};
  HotWindow window{.begin_epoch_ms = 1'700'000'000'000, .direction = "write"};
  window.key = {"GSI1PK=2026-11-23", "", 99, 0};
  window.calls = 99;
  measurement.resources[1].hot_windows = {window};
  const auto keys = RowsOf(FirstLimits(measurement, {}), "key");
  EXPECT_DOUBLE_EQ(keys[0].least_calls_per_second, 6000);
  EXPECT_EQ(keys[0].window_begin_epoch_ms, 0);
}

TEST(FirstLimit, AWindowOfReadsSaysNothingAboutWrites) {
  Measurement measurement = OnlySignUps();
  HotWindow window{.direction = "read"};
  window.key = {"GSI1PK=X", "", 6000, 0};
  window.calls = 100;
  measurement.resources[1].hot_windows = {window};
  const LimitRow first = FirstLimits(measurement, {})[0];
  // 60 units a call of 3,000 at least, of 6,000 at most: no pattern says how the key was read.
  EXPECT_EQ(first.sentence, "at 50 to 100 calls/s of this mix: GSI1, key GSI1PK=X, reads");
}

// A counter: every second call writes the same item of a table with sort keys.
TEST(FirstLimit, OneItemHasALimitOfItsOwn) {
  Measurement measurement = OnlySignUps();
  measurement.resources[0].written_keys.keys[0] = {"PK=STATS", "", 400, 0};
  measurement.resources[0].written_items = {600, 0, {{"PK=STATS, SK=COUNT", "", 300, 0}}};
  const auto rows = RowsOf(FirstLimits(measurement, {}), "item");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sentence,
            "at 2,000 calls/s of this mix: shop, item PK=STATS, SK=COUNT, writes");
}

TEST(FirstLimit, AnItemThatIsItsPartitionKeyIsListedOnce) {
  Measurement measurement = OnlySignUps();
  measurement.resources[0].written_items = measurement.resources[0].written_keys;
  EXPECT_TRUE(RowsOf(FirstLimits(measurement, {}), "item").empty());
}

// GSI1 has 100 write units a second, the table 500; each takes one a call.
TEST(FirstLimit, DeclaredThroughputIsALimit) {
  Measurement measurement = OnlySignUps();
  TableMeasure& table = measurement.tables[0];
  table.on_demand = false;
  table.provisioned_write_units = 500;
  table.indexes[0].provisioned_write_units = 100;
  const auto rows = FirstLimits(measurement, {});
  EXPECT_EQ(rows[0].sentence, "at 100 calls/s of this mix: GSI1, throughput, writes");
  EXPECT_EQ(rows[1].sentence, "at 500 calls/s of this mix: shop, throughput, writes");
}

TEST(FirstLimit, ALocalIndexTakesTheThroughputOfItsTable) {
  Measurement measurement = OnlySignUps();
  measurement.tables[0].indexes[0].is_local = true;
  const auto rows = RowsOf(FirstLimits(measurement, {}), "quota");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].least_calls_per_second, 20'000);
}

TEST(FirstLimit, AMultipleIsOfDeclaredRates) {
  const CallRate rates[] = {{"sign up", 250}};
  const LimitRow first = FirstLimits(OnlySignUps(), rates)[0];
  EXPECT_EQ(first.multiple_of_declared, 4);
  EXPECT_EQ(first.sentence,
            "at 1,000 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes (4 × the declared "
            "rates)");
}

// Returns a shop in which the sign-ups, 2 write units of GSI1 in 10 of the measured calls, are
// rarer than the orders. `customers` keys take the customers.
Measurement SignUpsAndOrders(int customers) {
  Measurement measurement = OnlySignUps();
  PatternMeasure order = SignUpPattern();
  order.id = "ccc";
  order.name = "order";
  order.members[0].key[0].value = "ORDER#{id}";
  order.calls = order.requests = 5400;
  order.units = {{"shop", "", 0, 5400}, {"shop", "GSI1", 0, 5400}};
  measurement.patterns.push_back(order);
  EntityMeasure customer{.table = "shop", .partition_key = "CUST#{id}", .sort_key = "PROFILE"};
  customer.indexes = {
      {"GSI1", 600, 0, customers == 1 ? "CUSTOMER" : "CUSTOMER#0", "{date}", customers > 1}};
  customer.units = {{"shop", "", 0, 600}, {"shop", "GSI1", 0, 600}};
  EntityMeasure stored{.table = "shop", .partition_key = "ORDER#{id}", .sort_key = "PROFILE"};
  stored.indexes = {{"GSI1", 5400, 0, "CUST#{id}", "{date}"}};
  stored.units = {{"shop", "", 0, 5400}, {"shop", "GSI1", 0, 5400}};
  measurement.entities = {customer, stored};
  const std::string key = customers == 1 ? "GSI1PK=CUSTOMER" : "GSI1PK=CUSTOMER#3";
  measurement.resources[1].written_keys = {6000, 0, {{key, key, 600.0 / customers, 0}}};
  return measurement;
}

// The rates have more sign-ups than the measured mix. Two of these a second write 2 units a second
// under the key, which takes 1,000.
TEST(FirstLimit, AMultipleIsNotOneOfTheMeasuredMix) {
  const CallRate few[] = {{"sign up", 2}, {"order", 4}};
  const auto limits = FirstLimits(SignUpsAndOrders(1), few);
  const auto keys = RowsOf(limits, "key");
  EXPECT_EQ(keys[0].key, "GSI1PK=CUSTOMER");
  EXPECT_EQ(keys[0].multiple_of_declared, 500);
  // Quotas: 6 units a second of the table.
  EXPECT_DOUBLE_EQ(RowsOf(limits, "quota")[0].multiple_of_declared, 40'000 / 6.0);
  const CallRate many[] = {{"sign up", 2000}};
  EXPECT_EQ(RowsOf(FirstLimits(SignUpsAndOrders(1), many), "key")[0].multiple_of_declared, 0.5);
}

// Every tenth sign-up writes under the key: 0.2 units a second.
TEST(FirstLimit, AMultipleOfOneOfTenKeysIsTenTimesAsLarge) {
  const CallRate rates[] = {{"sign up", 2}, {"order", 4}};
  EXPECT_EQ(RowsOf(FirstLimits(SignUpsAndOrders(10), rates), "key")[0].multiple_of_declared, 5000);
}

TEST(FirstLimit, AKeyOfPatternsWithoutRatesHasNoMultiple) {
  const CallRate rates[] = {{"order", 4}};
  const LimitRow key = RowsOf(FirstLimits(SignUpsAndOrders(1), rates), "key")[0];
  EXPECT_EQ(key.multiple_of_declared, 0);
  EXPECT_EQ(key.sentence, "at 10,000 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes");
}

// Nothing is known of what the two patterns write into the index.
TEST(FirstLimit, AKeyOfUnknownPatternsHasNoMultiple) {
  Measurement measurement = SignUpsAndOrders(1);
  measurement.entities.clear();
  const CallRate rates[] = {{"sign up", 2}, {"order", 4}};
  EXPECT_EQ(RowsOf(FirstLimits(measurement, rates), "key")[0].multiple_of_declared, 0);
}

TEST(FirstLimit, SeveralTablesAreTold) {
  Measurement measurement = OnlySignUps();
  measurement.tables.push_back({.name = "other"});
  EXPECT_EQ(FirstLimits(measurement, {})[0].sentence,
            "at 1,000 calls/s of this mix: GSI1 of shop, key GSI1PK=CUSTOMER, writes");
}

// The quota of a warm table is met at 40,000 sign-ups a second, a new one serves 4,000; the key of
// GSI1 takes 1,000.
TEST(FirstLimit, ANewTableServesLessThanItsQuota) {
  Measurement measurement = OnlySignUps();
  const auto limits = FirstLimits(measurement, {});
  EXPECT_EQ(RowsOf(limits, "quota")[0].new_table_calls_per_second, 4000);
  EXPECT_EQ(FirstLimitAssumption(measurement, limits),
            "Tables are taken as warm, with a quota of 40,000 units a second each.");
  measurement.resources[1].written_keys.keys[0].units = 1;
  EXPECT_EQ(FirstLimitAssumption(measurement, FirstLimits(measurement, {})),
            "Tables are taken as warm, with a quota of 40,000 units a second each. A new table on "
            "demand takes 4,000 calls/s of this mix: shop, writes.");
  measurement.tables[0].on_demand = false;
  for (const LimitRow& row : FirstLimits(measurement, {})) {
    EXPECT_EQ(row.new_table_calls_per_second, 0) << row.sentence;
  }
  EXPECT_EQ(FirstLimitAssumption(measurement, {}), "");
}

// Of 600 calls the first partition of the table took 300 write units and 60 read units, the others
// fewer.
TEST(FirstLimit, APartitionThatIsModelledHasARowForEachDirection) {
  Measurement measurement = OnlySignUps();
  PartitionMap map = FourPartitions(measurement.began_epoch_ms);
  map.slices.resize(1);
  for (PartitionHeat& heat : map.slices[0].partitions) {
    heat.write_units = heat.write_demand = heat.number == 3 ? 300 : 100;
    heat.read_units = heat.read_demand = heat.number == 2 ? 60 : 10;
  }
  measurement.partitions = {map};
  const auto limits = FirstLimits(measurement, {});
  const auto rows = RowsOf(limits, "partition");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sentence, "at 2,000 calls/s of this mix: shop, partition 3, writes (modelled)");
  EXPECT_EQ(rows[0].key, "partition 3");
  EXPECT_EQ(rows[0].limit, 1000);
  EXPECT_DOUBLE_EQ(rows[0].units_a_call, 0.5);
  EXPECT_DOUBLE_EQ(rows[0].greatest_calls_per_second, 2000);
  EXPECT_EQ(rows[0].multiple_of_declared, 0);
  EXPECT_EQ(rows[1].sentence, "at 30,000 calls/s of this mix: shop, partition 2, reads (modelled)");
  EXPECT_EQ(FirstLimitAssumption(measurement, limits),
            "The partitions of shop are modelled, as they were at the end. Besides, tables are "
            "taken as warm, with a quota of 40,000 units a second each.");
  measurement.partitions[0].partition_write_units = 0;
  EXPECT_EQ(RowsOf(FirstLimits(measurement, {}), "partition").size(), 1u);
}

// Returns sign-ups of which partition 1 served 300 units in its only slice.
Measurement WithOnePartition(double demand) {
  Measurement measurement = OnlySignUps();
  PartitionMap& map =
      measurement.partitions.emplace_back(FourPartitions(measurement.began_epoch_ms));
  map.slices.resize(1);
  map.slices[0].partitions.resize(1);
  map.slices[0].partitions[0].write_units = 300;
  map.slices[0].partitions[0].write_demand = demand;
  return measurement;
}

// Of 600 calls all succeeded and asked 1,200 units of the partition.
TEST(FirstLimit, APartitionThatIsWatchedHasTheDemandOfAllCalls) {
  Measurement measurement = WithOnePartition(1200);
  measurement.partitions[0].mode = "watch";
  EXPECT_EQ(FirstLimits(measurement, {})[0].sentence,
            "at 500 calls/s of this mix: shop, partition 1, writes (modelled)");
}

TEST(FirstLimit, APartitionThatServesOtherUnitsThanTheServicesDoesIsTold) {
  Measurement measurement = WithOnePartition(300);
  measurement.partitions[0].partition_write_units = 10;
  EXPECT_EQ(FirstLimits(measurement, {})[0].sentence,
            "at 20 calls/s of this mix: shop, partition 1, writes (modelled; a partition serves 10 "
            "write units here)");
}

// A tenth of what is usual, of one of two tables.
TEST(FirstLimit, ATableHasTheLimitsOfItsPartitions) {
  Measurement measurement = OnlySignUps();
  measurement.tables[0].partition_limits = {.read_units = 300,
                                            .write_units = 100,
                                            .new_table_read_units = 1200,
                                            .new_table_write_units = 400,
                                            .quota_read_units = 4000,
                                            .quota_write_units = 2000};
  const CallRate rates[] = {{"sign up", 50}};
  const auto limits = FirstLimits(measurement, rates);
  ASSERT_EQ(limits.size(), 4u);
  EXPECT_EQ(limits[0].sentence,
            "at 100 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes (a partition serves 100 "
            "write units here) (2 × the declared rates)");
  EXPECT_EQ(limits[0].limit, 100);
  EXPECT_EQ(limits[1].sentence,
            "at 2,000 calls/s of this mix: shop, quota, writes (40 × the declared rates)");
  EXPECT_EQ(limits[1].new_table_calls_per_second, 400);
  EXPECT_EQ(FirstLimitAssumption(measurement, limits),
            "Tables are taken as warm, with a quota of 4,000 read and 2,000 write units a second "
            "each.");
  measurement.tables.push_back({.name = "other"});
  EXPECT_EQ(FirstLimitAssumption(measurement, limits),
            "Tables are taken as warm, with a quota of 4,000 to 40,000 read and 2,000 to 40,000 "
            "write units a second each.");
}

TEST(FirstLimit, ThePartitionsAreNotReproducible) {
  Measurement measurement = OnlySignUps();
  measurement.partitions = {FourPartitions(measurement.began_epoch_ms)};
  std::vector<LimitRow> rows = FirstLimits(measurement, {});
  ASSERT_EQ(rows[0].what, "partition");
  ASSERT_TRUE(FirstReproducibleLimit(rows));
  EXPECT_EQ(FirstReproducibleLimit(rows)->sentence,
            "at 1,000 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes");
  rows.resize(1);
  EXPECT_EQ(FirstReproducibleLimit(rows), nullptr);
}

TEST(FirstLimit, AssumptionsNameAFewModelledTables) {
  Measurement measurement = OnlySignUps();
  measurement.partitions.assign(3, FourPartitions(measurement.began_epoch_ms));
  measurement.partitions[1].index = "GSI1";
  measurement.partitions[2].index = "GSI2";
  const auto rows = FirstLimits(measurement, {});
  EXPECT_TRUE(FirstLimitAssumption(measurement, rows)
                  .starts_with("The partitions of shop, GSI1 and GSI2 are modelled, "));
  measurement.partitions.resize(5, measurement.partitions[2]);
  EXPECT_TRUE(FirstLimitAssumption(measurement, rows)
                  .starts_with("The partitions of 5 tables and indexes are modelled, "));
}

TEST(FirstLimit, WithoutCallsThereIsNone) { EXPECT_TRUE(FirstLimits({}, {}).empty()); }

// A pattern of 100 calls that read `key` of the table.
PatternMeasure ReadsOf(const std::string& name, const std::string& key, double units,
                       bool is_consistent) {
  PatternMeasure pattern{.id = name, .name = name, .operation = "GetItem"};
  pattern.members = {{.kind = "get", .table = "shop", .consistent = is_consistent}};
  pattern.members[0].key = {{"PK", "=", key, ""}, {"SK", "=", "META", ""}};
  pattern.calls = pattern.requests = 100;
  pattern.units = {{"shop", "", units, 0}};
  return pattern;
}

Measurement MeasurementOf(const std::vector<PatternMeasure>& patterns,
                          const std::vector<KeyCount>& keys) {
  Measurement measurement;
  measurement.tables = {ShopTable()};
  measurement.patterns = patterns;
  ResourceMeasure table{.table = "shop"};
  for (const PatternMeasure& pattern : patterns) table.read_units += pattern.units[0].read_units;
  table.read_keys = {table.read_units, 0, keys};
  measurement.resources = {table};
  return measurement;
}

LimitRow FirstOf(const Measurement& measurement, const std::vector<CallRate>& rates = {}) {
  const std::vector<LimitRow> rows = FirstLimits(measurement, rates);
  return rows.empty() ? LimitRow{} : rows[0];
}

TEST(FirstLimitOfReads, APartitionServesByTheShareOfStrongReads) {
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf({}, 0), 4500);
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf({}, 1), 3000);
  // The leader serves all of the strong half, and the two others the rest.
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf({}, 0.5), 6000);
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf({}, 0.75), 4000);
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf({.read_units = 300}, 0), 450);
}

TEST(FirstLimitOfReads, EventuallyConsistentReadsOfAKeyGetHalfAsMuchAgain) {
  const LimitRow row = FirstOf(
      MeasurementOf({ReadsOf("look", "A", 100, false)}, {{"PK=A", "", 100, 0}}), {{"look", 500}});
  EXPECT_EQ(row.sentence,
            "at 4,500 calls/s of this mix: shop, key PK=A, eventually consistent reads (9 × the "
            "declared rates)");
  EXPECT_DOUBLE_EQ(row.limit, 4500);
  EXPECT_TRUE(row.is_eventually_consistent);
}

TEST(FirstLimitOfReads, ReadsHaveTheLimitsOfTheirTable) {
  Measurement measurement =
      MeasurementOf({ReadsOf("look", "A", 100, false)}, {{"PK=A", "", 100, 0}});
  measurement.tables[0].partition_limits.read_units = 300;
  const LimitRow row = FirstOf(measurement, {{"look", 500}});
  EXPECT_EQ(row.sentence,
            "at 450 calls/s of this mix: shop, key PK=A, eventually consistent reads (a partition "
            "serves 300 read units here) (0.9 × the declared rates)");
  EXPECT_DOUBLE_EQ(row.limit, 450);
  EXPECT_TRUE(row.is_eventually_consistent);
}

TEST(FirstLimitOfReads, StronglyConsistentReadsOfAKeyHaveItsLeaderOnly) {
  const LimitRow row = FirstOf(
      MeasurementOf({ReadsOf("look", "A", 100, true)}, {{"PK=A", "", 100, 0}}), {{"look", 500}});
  EXPECT_EQ(row.sentence,
            "at 3,000 calls/s of this mix: shop, key PK=A, reads (6 × the declared rates)");
  EXPECT_FALSE(row.is_eventually_consistent);
}

TEST(FirstLimitOfReads, ReadsInTransactionsAreStrong) {
  PatternMeasure pattern = ReadsOf("look", "A", 100, false);
  pattern.operation = "TransactGetItems";
  EXPECT_EQ(FirstOf(MeasurementOf({pattern}, {{"PK=A", "", 100, 0}})).limit, 3000);
}

// Of the key's 100 units, 80 at most are strong, and 60 at least. The rates need 200 strong and 200
// other units a second of all keys, and half of these of the key.
TEST(FirstLimitOfReads, ReadsOfBothKindsMakeAnInterval) {
  const Measurement measurement =
      MeasurementOf({ReadsOf("buy", "P#{id}", 80, true), ReadsOf("look", "P#{id}", 40, false)},
                    {{"PK=P#1", "PK=P#{id}", 100, 0}});
  const LimitRow row = FirstOf(measurement, {{"buy", 250}, {"look", 500}});
  EXPECT_DOUBLE_EQ(row.limit, 3750);
  EXPECT_DOUBLE_EQ(row.least_calls_per_second, 7500);
  EXPECT_DOUBLE_EQ(row.greatest_calls_per_second, 10'000);
  EXPECT_DOUBLE_EQ(row.multiple_of_declared, 6000 / (400 / 1.2));
  EXPECT_FALSE(row.is_eventually_consistent);
}

TEST(FirstLimitOfReads, PatternsThatCannotReadTheKeyDoNotCount) {
  const Measurement measurement =
      MeasurementOf({ReadsOf("buy", "CART#{id}", 40, true), ReadsOf("look", "P#{id}", 80, false)},
                    {{"PK=P#1", "PK=P#{id}", 60, 0}, {"PK=CART#1", "PK=CART#{id}", 1, 0}});
  EXPECT_DOUBLE_EQ(FirstOf(measurement).limit, 4500);
}

TEST(FirstLimitOfReads, ACoolerKeyWhoseReadsAreStrongMayBeTheFirst) {
  const Measurement measurement =
      MeasurementOf({ReadsOf("buy", "A", 80, true), ReadsOf("look", "B", 100, false)},
                    {{"PK=B", "", 100, 0}, {"PK=A", "", 80, 0}});
  EXPECT_EQ(FirstOf(measurement).sentence, "at 7,500 calls/s of this mix: shop, key PK=A, reads");
}

TEST(FirstLimitOfReads, ReadsThatNoPatternCountsMayBeStrong) {
  Measurement measurement =
      MeasurementOf({ReadsOf("look", "A", 100, false)}, {{"PK=A", "", 150, 0}});
  // Of 150 units 50 may be strong: the leader and the others have more to do the fewer are strong.
  EXPECT_DOUBLE_EQ(FirstOf(measurement).limit, 4500);
  EXPECT_FALSE(FirstOf(measurement).is_eventually_consistent);
  measurement.patterns[0].units.clear();
  EXPECT_DOUBLE_EQ(FirstOf(measurement).limit, 3000);
}

}  // namespace
}  // namespace hashrange
