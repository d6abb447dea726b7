#include "lab/run/run_figures.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <vector>

namespace hashrange {
namespace {

// Ten batches of 25 small items; four were given up, of which two had written nothing.
LayoutRun RunWithPartialBatches() {
  LayoutRun run;
  run.patterns = {{.name = "add",
                   .declared_calls_per_second = 3,
                   .calls = 10,
                   .failed = 4,
                   .requests = 22,
                   .failed_write_units = 20 + 15}};
  run.measurement.patterns = {
      {.name = "add", .calls = 22, .requests = 22, .units = {{"things", "", 0, 6 * 25 + 35}}}};
  return run;
}

// Returns the write units a second that the rates mean.
double WriteUnitsOf(const LayoutRun& run) {
  const PatternMeasure& measured = run.measurement.patterns.at(0);
  const double a_call = measured.units.at(0).write_units / static_cast<double>(measured.calls);
  return MeteredRates(run).at(0).calls_per_second * a_call;
}

TEST(DeclaredLimit, MonthHasTheUnitsOfServedCallsWhateverFailedCallsWroteBefore) {
  LayoutRun run = RunWithPartialBatches();
  EXPECT_DOUBLE_EQ(WriteUnitsOf(run), 3 * 25);
  run.patterns[0].failed_write_units = 0;  // those that failed were throttled as a whole
  run.measurement.patterns[0].units[0].write_units = 6 * 25;
  EXPECT_DOUBLE_EQ(WriteUnitsOf(run), 3 * 25);
}

// Parts of calls that failed are not what a call takes.
TEST(DeclaredLimit, WhereNoCallWasServedItsUnitsAreNotKnown) {
  LayoutRun run = RunWithPartialBatches();
  run.patterns[0].failed = 10;
  run.patterns[0].failed_write_units = run.measurement.patterns[0].units[0].write_units = 40;
  EXPECT_EQ(WriteUnitsOf(run), 0);
}

TEST(DeclaredLimit, PatternThatWasNotCalledHasItsDeclaredRate) {
  LayoutRun run = RunWithPartialBatches();
  run.patterns[0] = {.name = "add", .declared_calls_per_second = 3};
  EXPECT_DOUBLE_EQ(MeteredRates(run).at(0).calls_per_second, 3);
}

// A modelled partition is cut when it is hot, so it is no limit of what was declared.
TEST(DeclaredLimit, TheFirstLimitIsTheLeastMultipleThatIsNotOfAPartition) {
  LayoutRun run = RunWithPartialBatches();
  const std::vector<LimitRow> rows = {
      {.table = "things", .what = "partition", .multiple_of_declared = 2},
      {.table = "things", .what = "key", .multiple_of_declared = 7},
      {.table = "things", .what = "throughput", .multiple_of_declared = 5}};
  const std::optional<DeclaredLimit> first = FirstDeclaredLimit(run, rows);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->row.what, "throughput");
  EXPECT_EQ(first->multiple, 5);
  EXPECT_FALSE(FirstDeclaredLimit(run, std::span(rows).first(1)));
}

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
