#include "lab/plan/cost/walk_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plan_text.h"

namespace hashrange {
namespace {

using End = WalkLoad::End;

// What is worked out by hand. Items are so small that each request takes one unit.
struct WorkedWalk {
  const char* what;
  WalkLoad load;
  std::vector<double> ending_at;
  double requests;
  double items;
  double found;
  double unfinished;
};

TEST(WalkCost, IsWhatIsWorkedOutByHand) {
  const double even = std::log(2);  // as many as this, on average: none in half of the cases
  const Moments poisson = {3 * even, 3 * even};
  const Moments none = {};
  const Moments small = {1, 0};
  const double third = 1.0 / 3;
  const std::vector<WorkedWalk> walks = {
      {"all is in the second period",
       {.items = {{4, 0}, {4, 0}, {0, 1, 0}}, .item_bytes = small, .wanted = 3},
       {0, 1, 0},
       2,
       3,
       3,
       0},
      {"there are fewer than are wanted",
       {.items = {{4, 0}, {4, 0}, {0, 1, 0}}, .item_bytes = small, .wanted = 5},
       {0, 0, 1},
       3,
       4,
       4,
       1},
      {"there is nothing",
       {.items = {none, none, {0.5, 0.5}}, .item_bytes = small, .wanted = 5},
       {0, 1},
       2,
       0,
       0,
       1},
      {"half of the calls find one in a period",
       {.items = {poisson, poisson, {third, third, third}}, .item_bytes = small},
       {0.5, 0.25, 0.25},
       1.75,
       0.875,
       0.875,
       0.125},
      // Both items are in the first period in a quarter of the cases, and one in half of them. What
      // is read then is 1 on average; and in the second period what is missing, one of which is
      // found by 3/4 and by 1/2 + 1/4: 1/4 × 1 + 1/2 × 3/4.
      {"the Limit is what is missing",
       {.items = {{2, 0}, {2, 0}, {0.5, 0.5}}, .item_bytes = small, .wanted = 2},
       {0.25, 0.75},
       1.75,
       1.625,
       1.625,
       0.3125},
      {"two shards of a period are asked at once",
       {.items = {poisson, poisson, {third, third, third}}, .item_bytes = small, .shards = 2},
       {0.5, 0.25, 0.25},
       3.5,
       1.75 * 2 * (1 - std::exp(-even / 2)),
       0.875,
       0.125},
      {"a filter passes half of ten items",
       {.items = {{20, 0}, {10, 0}, {0, 0.5, 0.5}},
        .item_bytes = small,
        .wanted = 100,
        .end = End::kFound},
       {0, 0, 1},
       3,
       20,
       10,
       1},
      {"a period is read to its end",
       {.items = {{20, 0}, {20, 0}, {0, 1, 0}}, .item_bytes = small, .end = End::kOfData},
       {0, 1, 0},
       2,
       20,
       20,
       0},
      {"a million is wanted of three in ten periods",
       {.items = {{3e6, 0}, {3e6, 0}, std::vector<double>(10, 0.1)},
        .item_bytes = small,
        .wanted = 1e6},
       {0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
       4,
       1e6,
       1e6,
       0},
  };
  for (const WorkedWalk& walk : walks) {
    SCOPED_TRACE(walk.what);
    const WalkCost cost = MeanWalkCost(walk.load);
    ASSERT_EQ(cost.ending_at.size(), walk.ending_at.size());
    for (std::size_t i = 0; i < walk.ending_at.size(); ++i) {
      EXPECT_NEAR(cost.ending_at[i], walk.ending_at[i], 1e-6) << i;
    }
    EXPECT_NEAR(cost.requests, walk.requests, 1e-6);
    EXPECT_NEAR(cost.items, walk.items, 1e-6 + walk.items / 1000);
    EXPECT_NEAR(cost.found, walk.found, 1e-6 + walk.found / 1000);
    EXPECT_NEAR(cost.unfinished, walk.unfinished, 1e-6);
    if (walk.items < 100) {
      EXPECT_NEAR(cost.units, walk.requests, 1e-6);
    }
  }
}

// Two shards have one item each on average, of a unit: by chance as two coins fall, and where they
// differ more, as a Poisson number.
TEST(WalkCost, OfShardsThatDifferTakesMoreUnits) {
  WalkLoad load = {.items = {{2, 0}, {2, 0}, {1}},
                   .item_bytes = {4096, 0},
                   .shards = 2,
                   .wanted = 2,
                   .end = End::kOfData};
  EXPECT_NEAR(MeanWalkCost(load).units, 2 * 1.25, 1e-6);
  load.shard_variation = 0.5;
  EXPECT_NEAR(MeanWalkCost(load).units, 2 * (1 + std::exp(-1.0)), 1e-6);
}

// Half of the calls are about one who has nothing of what was there; each finds one in what is more
// with a probability of a half, in one period of two.
TEST(WalkCost, OneWhoHasFewItemsHasFewInAllPeriods) {
  const double even = std::log(2);
  const std::vector<double> shares = {0.5, 0.5};
  const WalkCost cost = MeanWalkCost({.items = {{100, 0}, {100, 0}, shares},
                                      .factors = Spread::Of({{0, 1}, {2, 1}}),
                                      .more = {{2 * even, 2 * even}, {2 * even, 2 * even}, shares},
                                      .item_bytes = {9, 0}});
  EXPECT_NEAR(cost.ending_at[0], 0.5 + 0.25, 1e-6);
  EXPECT_NEAR(cost.requests, 1.25, 1e-6);
  EXPECT_NEAR(cost.unfinished, 0.125, 1e-6);
}

// Ninety events in ninety days are one in a day: 1 − 89⁄90 to the power of 90 is 63.4 %, so that a
// call which finds nothing in the day that has just begun asks 1 / 0.634 days more.
constexpr const char* kEvents = R"(
lab: 1
entities:
  Device: {count: 500, attributes: {device_id: {sequence: 6}}}
  Event: {of: Device, count: 90, attributes: {event_id: {ulid: at}, at: {time: {past: 90d}}, status: {choice: {OK: 1, BAD: 1}}}}
  Visit: {of: Device, count: 90, attributes: {visit_id: {ulid: at}, at: {time: {ahead: 90d}}}}
access_patterns:
  newest: {query: Event, by: [device_id], order: -at, limit: 1, rate: 50/s}
  newest bad: {query: Event, by: [device_id, {status: BAD}], order: -at, limit: 1, rate: 50/s}
  next: {query: Visit, by: [device_id], order: at, limit: 1, rate: 50/s}
layouts:
  days:
    tables:
      app:
        key: [PK, SK]
        items:
          Device: {PK: "D#{device_id}", SK: D}
          Event: {PK: "E#{device_id}#{at:day}", SK: "{at}#{event_id}"}
          Visit: {PK: "V#{device_id}#{at:day}", SK: "{at}#{visit_id}"}
  sharded:
    like: days
    tables: {app: {items: {Event: {PK: "E#{device_id}#{at:day}#{shard(event_id, 2)}", SK: "{at}#{event_id}"}}}}
traffic: [{for: 60s, rate: 1}]
)";

TEST(WalkCost, OfAPatternIsWhatIsWorkedOutByHand) {
  struct Row {
    int layout;
    int pattern;
    double mean_periods;
    double p99_periods;
    double requests;
  };
  const double days = 1 / (1 - std::pow(89.0 / 90, 90));        // until an event was found
  const double bad_days = 1 / (1 - std::pow(179.0 / 180, 90));  // until a bad one was
  // 0.366 to the power of 5 is below 1 %, and 0.606 to the power of 10 is.
  const std::vector<Row> rows = {{0, 0, 1 + days, 6, 1 + days},
                                 {0, 1, 1 + bad_days, 11, 1 + bad_days},
                                 {0, 2, days, 5, days},
                                 {1, 0, 1 + days, 6, 2 * (1 + days)}};
  const LabFile file = FileOf(kEvents);
  for (const Row& row : rows) {
    SCOPED_TRACE(std::to_string(row.layout) + " " + std::to_string(row.pattern));
    const LayoutPlan plan = PlanOf(file, row.layout);
    const PatternPlan& one = plan.patterns[static_cast<std::size_t>(row.pattern)];
    ASSERT_EQ(one.steps.size(), 1U);
    ASSERT_TRUE(one.steps.front().walk);
    EXPECT_NEAR(one.steps.front().walk->mean_periods, row.mean_periods, 0.001);
    EXPECT_EQ(one.steps.front().walk->p99_periods, row.p99_periods);
    EXPECT_NEAR(one.cost.requests, row.requests, 0.002);
    EXPECT_NEAR(one.cost.ReadUnits(), row.requests / 2, 0.001);
    // Each call asks the days that all calls ask; one of 500 devices is asked about as much as
    // others.
    EXPECT_NEAR(one.cost.keys.front().hottest_share, 1 / row.requests / 500, 1e-5);
  }
}

}  // namespace
}  // namespace hashrange
