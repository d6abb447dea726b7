#include "measure/pattern_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "measure/pattern_names.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

TEST(PatternSums, APatternWithoutANameStandsAlone) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[0].name = "";
  const auto named = PatternsByName(measurement);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_THAT(named[0].ids, ElementsAre("aaa"));
  EXPECT_EQ(TitleOf(named[0].sum), "PutItem shop CUST#{id}");
}

TEST(PatternSums, PatternsOfOneNameAreAddedUp) {
  Measurement measurement = SignUpMeasurement();
  PatternMeasure more = SignUpPattern();
  more.id = "ccc";
  more.calls = more.requests = 100;
  more.errors = {{"ValidationException", 2}};
  more.units = {{"shop", "", 0, 100}, {"shop", "GSI2", 0, 300}};
  more.failed_write_units = 7;
  more.call.write_units = {};
  more.call.write_units.Add(4, 100);
  measurement.patterns.push_back(more);
  const auto named = PatternsByName(measurement);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_THAT(named[0].ids, ElementsAre("aaa", "ccc"));
  const PatternMeasure& sum = named[0].sum;
  EXPECT_EQ(sum.calls, 700u);
  EXPECT_EQ(sum.failed_write_units, 7);
  EXPECT_EQ(sum.call.write_units.sum(), 1600);
  EXPECT_EQ(sum.call.write_units.max(), 4);
  EXPECT_EQ(SuccessfulCallsOf(sum), 698);
  ASSERT_EQ(sum.units.size(), 3u);
  EXPECT_EQ(sum.units[0].write_units, 700);
  EXPECT_EQ(sum.units[1].write_units, 600);
  EXPECT_EQ(sum.units[2].index, "GSI2");
  EXPECT_EQ(sum.units[2].write_units, 300);
  EXPECT_EQ(sum.members.size(), 2u);
}

TEST(PatternSums, AlikePatternsAreMergedUnlessTheirAccessesDiffer) {
  Measurement measurement = SignUpMeasurement();
  const std::size_t before = measurement.patterns.size();
  const std::uint64_t calls = measurement.patterns[0].calls;
  ASSERT_FALSE(measurement.patterns[0].members.empty());
  PatternMeasure alike = measurement.patterns[0];
  alike.id = "ccc";
  alike.members[0].condition = "attribute_exists(lines.sku7)";
  PatternMeasure other_key = alike;
  other_key.id = "ddd";
  other_key.members[0].key.push_back({.attribute = "SK", .op = "=", .value = "LINES"});
  PatternMeasure without_name = alike;
  without_name.id = "eee";
  without_name.name = "";
  measurement.patterns.insert(measurement.patterns.end(), {alike, other_key, without_name});
  MergeAlikePatterns(measurement);
  ASSERT_EQ(measurement.patterns.size(), before + 2);
  EXPECT_EQ(measurement.patterns[0].id, "aaa");
  EXPECT_EQ(measurement.patterns[0].calls, 2 * calls);
  EXPECT_EQ(measurement.patterns[0].members.size(), alike.members.size());
  EXPECT_EQ(measurement.patterns[before].id, "ddd");
  EXPECT_EQ(measurement.patterns[before + 1].id, "eee");
}

TEST(PatternSums, ExaminedPerReturnedIsOfAllCalls) {
  PatternMeasure pattern = OrdersPattern();
  EXPECT_EQ(ExaminedPerReturned(pattern), 2);  // 2,000 for 1,000
  pattern.call.items_returned = {};
  EXPECT_TRUE(std::isinf(ExaminedPerReturned(pattern)));
  EXPECT_EQ(ExaminedPerReturned(SignUpPattern()), 0);
}

TEST(PatternSums, CallsThatBeganEarlierAreTheirRequests) {
  PatternMeasure pattern = OrdersPattern();
  pattern.calls = 0;
  pattern.requests = 3;
  EXPECT_EQ(CallsOf(pattern), 3);
}

}  // namespace
}  // namespace hashrange
