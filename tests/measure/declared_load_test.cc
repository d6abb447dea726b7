#include "measure/declared_load.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>

#include "judged_rule.h"

namespace hashrange {
namespace {

// Two patterns of one name, with 30 and 10 calls, and one without a name.
Measurement ThreePatterns() {
  Measurement measurement = ShopMeasurement();
  for (const auto& [id, calls, units] : {std::tuple("a", 30, 30.0), std::tuple("b", 10, 50.0)}) {
    PatternMeasure pattern = OnePattern("GetItem", "get", static_cast<std::uint64_t>(calls));
    pattern.id = id;
    pattern.name = "read";
    pattern.units = {{"shop", "", units, 0}};
    measurement.patterns.push_back(pattern);
  }
  PatternMeasure put = OnePattern("PutItem", "put", 5);
  put.units = {{"shop", "", 0, 10}, {"shop", "GSI1", 0, 5}};
  measurement.patterns.push_back(put);
  return measurement;
}

TEST(DeclaredLoad, RateOfANameIsSharedByCalls) {
  // 80 units in 40 calls: 2 a call.
  const auto units = DeclaredUnits(ThreePatterns(), {.rates = {{"read", 100}}}, "shop", "");
  ASSERT_TRUE(units);
  EXPECT_EQ(units->read_units, 200);
  EXPECT_EQ(units->write_units, 0);
}

TEST(DeclaredLoad, RatesAddUp) {
  const RuleInput input{.rates = {{"a", 100}, {"p", 10}}};
  const auto table = DeclaredUnits(ThreePatterns(), input, "shop", "");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->read_units, 100);
  EXPECT_EQ(table->write_units, 20);
  const auto index = DeclaredUnits(ThreePatterns(), input, "shop", "GSI1");
  ASSERT_TRUE(index);
  EXPECT_EQ(index->read_units, 0);
  EXPECT_EQ(index->write_units, 10);
}

TEST(DeclaredLoad, RateOfAnUnknownPatternSaysNothing) {
  EXPECT_FALSE(DeclaredUnits(ThreePatterns(), {.rates = {{"write", 100}}}, "shop", ""));
  EXPECT_FALSE(DeclaredUnits(ThreePatterns(), {}, "shop", ""));
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
