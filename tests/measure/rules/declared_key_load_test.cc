#include "measure/rules/declared_key_load.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>
#include <vector>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// Two patterns of one name that read keys of one template, with 30 and 10 calls, and one without a
// name that writes an item.
Measurement ThreePatterns() {
  Measurement measurement = ShopMeasurement();
  for (const auto& [id, calls, units] : {std::tuple("a", 30, 30.0), std::tuple("b", 10, 50.0)}) {
    PatternMeasure pattern = OnePattern("GetItem", "get", static_cast<std::uint64_t>(calls));
    pattern.id = id;
    pattern.name = "read";
    pattern.members[0].key = {{"PK", "=", "CUST#{id}", ""}, {"SK", "=", "META", ""}};
    pattern.units = {{"shop", "", units, 0}};
    measurement.patterns.push_back(pattern);
  }
  PatternMeasure put = OnePattern("PutItem", "put", 5);
  put.members[0].key = {{"PK", "=", "STATS", ""}, {"SK", "=", "{digits}", ""}};
  put.units = {{"shop", "", 0, 10}, {"shop", "GSI1", 0, 5}};
  measurement.patterns.push_back(put);
  measurement.resources = {{.table = "shop"}};
  return measurement;
}

double MostOf(const std::vector<CallRate>& rates, const KeyShare& share, LoadedKey key) {
  const Measurement measurement = ThreePatterns();
  const auto range = DeclaredUnitsOfKey(measurement, RatesOfPatterns(measurement, rates),
                                        measurement.resources[0], share, key);
  return range ? range->most : 0;
}

const KeyShare kCustomer{"PK=CUST#7", "PK=CUST#{id}", 0.25, 0.5};

TEST(DeclaredLoad, RateOfANameIsSharedByCalls) {
  // 80 units in 40 calls: 2 a call, half of which are of the key.
  EXPECT_EQ(MostOf({{"read", 100}}, kCustomer, {.direction = "read"}), 100);
  EXPECT_EQ(MostOf({{"read", 100}}, kCustomer, {.direction = "write"}), 0);
}

TEST(DeclaredLoad, RatesAddUp) {
  // 1 and 5 units a call.
  EXPECT_EQ(MostOf({{"a", 100}, {"b", 10}}, kCustomer, {.direction = "read"}), 75);
}

TEST(DeclaredLoad, ConstantKeyTakesAllUnitsOfItsPattern) {
  const KeyShare stats{"PK=STATS", "PK=STATS", 1, 1};
  EXPECT_EQ(MostOf({{"p", 10}}, stats, {.direction = "write"}), 20);
  const KeyShare item{"PK=STATS, SK=7", "PK=STATS, SK={digits}", 0.1, 0.1};
  EXPECT_EQ(MostOf({{"p", 10}}, item, {.is_item = true, .direction = "write"}), 2);
  const KeyShare other{"PK=TOTAL", "PK=TOTAL", 1, 1};
  EXPECT_EQ(MostOf({{"p", 10}}, other, {.direction = "write"}), 0);
}

TEST(DeclaredLoad, RateOfAnUnknownPatternSaysNothing) {
  EXPECT_EQ(MostOf({{"write", 100}}, kCustomer, {.direction = "read"}), 0);
  EXPECT_EQ(MostOf({}, kCustomer, {.direction = "read"}), 0);
}

TEST(DeclaredLoad, ShareOfAKeyIsBetweenTwoBounds) {
  const TopKeys keys{200, 0, {{"PK=A", "PK=A", 120, 20}, {"PK=B", "PK=B", 60, 0}}};
  const auto share = FirstKeyShare(keys);
  ASSERT_TRUE(share);
  EXPECT_EQ(share->key, "PK=A");
  EXPECT_EQ(share->least, 0.5);
  EXPECT_EQ(share->most, 0.6);
  EXPECT_FALSE(FirstKeyShare({99, 0, {{"PK=A", "PK=A", 99, 0}}}));
  EXPECT_FALSE(FirstKeyShare({}));
}

}  // namespace
}  // namespace hashrange
