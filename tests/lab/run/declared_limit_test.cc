#include "lab/run/declared_limit.h"

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

}  // namespace
}  // namespace hashrange
