#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/cost/first_limit.h"
#include "measure/shared_partitions.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

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
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf(0), 4500);
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf(1), 3000);
  // The leader serves all of the strong half, and the two others the rest.
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf(0.5), 6000);
  EXPECT_DOUBLE_EQ(PartitionReadUnitsOf(0.75), 4000);
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
