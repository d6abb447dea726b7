#include "lab/run/limit_trials.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hashrange {
namespace {

// A pattern that is called 100 times a second and takes `units` read units of the table "t" each
// time.
void AddReads(const std::string& name, double units, double weight, LayoutRun& run) {
  constexpr std::uint64_t kCalls = 1000;
  PatternRun pattern{.name = name, .declared_calls_per_second = 100, .weight = weight};
  pattern.calls = pattern.requests = kCalls;
  pattern.read_units.Add(units, kCalls);
  run.patterns.push_back(pattern);
  PatternMeasure measured{.id = name, .name = name};
  measured.calls = measured.requests = kCalls;
  measured.units = {{"t", "", units * static_cast<double>(kCalls), 0}};
  run.measurement.patterns.push_back(measured);
}

LimitRow LimitOf(double limit, const std::string& what, const std::string& direction = "read") {
  return {.table = "t", .what = what, .direction = direction, .limit = limit};
}

TEST(TrialSize, ASmallTrialMakesAllCalls) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  const auto size = SizeOfTrial(run, LimitOf(4500, "key"), 2);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->length_ms, 20'000);
  EXPECT_EQ(size->thin, 1U);  // 100 requests a second × 2 × 20 s, and as many units
  EXPECT_FALSE(size->makes_all_patterns_alike);
}

TEST(TrialSize, ALargeTrialIsThinnedAsFarAsTheLimitAllows) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  // 200 × 400 × 20 s are 1.6 million requests and units.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(4500, "key"), 400)->thin, 8U);
  // 100 units a second are at least 50 after thinning.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(100, "throughput"), 100)->thin, 2U);
  // One of 90 of 800 million would be too many.
  EXPECT_FALSE(SizeOfTrial(run, LimitOf(4500, "key"), 200'000));
}

TEST(TrialSize, UnitsOfOtherResourcesAndDirectionsDoNotCount) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  const TrialSize alone = *SizeOfTrial(run, LimitOf(100, "key"), 100);
  std::vector<ResourceUnits>& units = run.measurement.patterns[0].units;
  units[0].write_units = 1e6;
  units.push_back({"t", "index", 1e6, 1e6});
  units.push_back({"other", "", 1e6, 1e6});
  const TrialSize among = *SizeOfTrial(run, LimitOf(100, "key"), 100);
  EXPECT_EQ(among.length_ms, alone.length_ms);
  EXPECT_EQ(among.thin, alone.thin);
}

TEST(TrialSize, ThroughputIsTriedUntilItsSavingsAreUsedUp) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  EXPECT_EQ(SizeOfTrial(run, LimitOf(100, "throughput"), 1)->length_ms, 60'000);
  // 400 calls.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(5, "throughput"), 0.05)->length_ms, 80'000);
}

TEST(TrialSize, CallsOfManyUnitsAreNotThinned) {
  LayoutRun run;
  AddReads("scan", 100, 1, run);
  // 100 × 101 × 10 × 20 s are 2 million; 4,500 units a second are 900 calls in 20 s.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(4500, "key"), 10)->thin, 2U);
}

TEST(TrialSize, PatternsOfWhichFewCallsAreMadeStayFewUnlessTheLimitIsOfThem) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  AddReads("scan", 100, 50, run);
  const auto writes = SizeOfTrial(run, LimitOf(1000, "key", "write"), 1);
  ASSERT_TRUE(writes);
  EXPECT_FALSE(writes->makes_all_patterns_alike);
  EXPECT_EQ(TrialWeights(run, *writes), (std::vector<double>{1, 50}));
  const auto reads = SizeOfTrial(run, LimitOf(40'000, "quota"), 3);
  ASSERT_TRUE(reads);
  EXPECT_TRUE(reads->makes_all_patterns_alike);
  EXPECT_EQ(reads->thin, 4U);  // 618,000, not 24,000
  EXPECT_EQ(TrialWeights(run, *reads), (std::vector<double>{4, 4}));
}

}  // namespace
}  // namespace hashrange
