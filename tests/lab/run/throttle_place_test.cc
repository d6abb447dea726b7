#include "lab/run/throttle_place.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

// Of the pattern that is thinned, each request counts as all that it stands for.
TEST(ThrottlePlace, IsOfThePatternAndTheResourceThatThrottledMost) {
  const std::vector<PatternRun> patterns = {{.name = "look", .weight = 1, .throttled = 30},
                                            {.name = "sign up", .weight = 10, .throttled = 9}};
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 3},
                           {.table = "shop", .index = "GSI1", .throttled = 9},
                           {.table = "shop", .index = "GSI2"}};
  measurement.resources[1].throttled_keys = {9, 0, {{"PK=A", "", 5, 0}, {"PK=B", "", 4, 0}}};
  const ThrottlePlace place = MostThrottled(patterns, measurement);
  EXPECT_EQ(place.pattern, "sign up");
  EXPECT_DOUBLE_EQ(place.pattern_share, 0.75);
  EXPECT_EQ(place.table, "shop");
  EXPECT_EQ(place.index, "GSI1");
  EXPECT_EQ(place.key, "PK=A");
}

// The meter counts a write that an index throttles for its table.
TEST(ThrottlePlace, IsOfTheIndexWhosePartitionsThrottled) {
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 9}, {.table = "shop", .index = "GSI1"}};
  measurement.resources[0].throttled_keys = {9, 0, {{"PK=A", "", 9, 0}}};
  measurement.partitions = {{.table = "shop", .throttles = {{"TableRead", 1}}},
                            {.table = "shop", .index = "GSI1", .throttles = {{"IndexWrite", 8}}}};
  const ThrottlePlace place = MostThrottled({{.name = "sign up", .throttled = 9}}, measurement);
  EXPECT_EQ(place.index, "GSI1");
  EXPECT_EQ(place.key, "");
}

TEST(ThrottlePlace, IsOfTheResourceWhereNoPartitionThrottled) {
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 9}, {.table = "shop", .index = "GSI1"}};
  measurement.partitions = {{.table = "shop"}, {.table = "shop", .index = "GSI1"}};
  const ThrottlePlace place = MostThrottled({{.name = "sign up", .throttled = 9}}, measurement);
  EXPECT_EQ(place.table, "shop");
  EXPECT_EQ(place.index, "");
}

TEST(ThrottlePlace, AKeyWithFewOfTheThrottlesIsNotNamed) {
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 9}};
  measurement.resources[0].throttled_keys = {9, 0, {{"PK=A", "", 4, 0}, {"PK=B", "", 3, 0}}};
  const ThrottlePlace place = MostThrottled({{.name = "look", .throttled = 9}}, measurement);
  EXPECT_EQ(place.table, "shop");
  EXPECT_EQ(place.key, "");
}

TEST(ThrottlePlace, WhereNothingWasThrottledIsEmpty) {
  const ThrottlePlace place = MostThrottled({{.name = "look", .requests = 9}}, {});
  EXPECT_EQ(place.pattern, "");
  EXPECT_EQ(place.pattern_share, 0);
  EXPECT_EQ(place.table, "");
}

}  // namespace
}  // namespace hashrange
