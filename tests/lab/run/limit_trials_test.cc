#include "lab/run/limit_trials.h"

#include <gtest/gtest.h>

#include <cmath>
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
  EXPECT_EQ(size->length_ms, 30'000);
  EXPECT_EQ(size->thin, 1U);
  EXPECT_EQ(size->work, 12'000);  // 100 requests a second × 2 × 30 s, and as many units
  EXPECT_FALSE(size->makes_all_patterns_alike);
}

// At 5 % above the limit, the units of half a second last for 10 s, and those of 30 s for ten
// minutes.
TEST(TrialSize, WhatPartitionsHaveSavedDoesNotCount) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  EXPECT_EQ(SizeOfTrial(run, LimitOf(4500, "key"), 2)->warm_up_ms, 10'000);
  const auto size = SizeOfTrial(run, LimitOf(450, "key"), 0.2, {.burst_ms = 30'000});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->warm_up_ms, 600'000);
  EXPECT_EQ(size->length_ms, 720'000);
}

TEST(TrialSize, ALargeTrialIsThinnedAsFarAsTheLimitAllows) {
  LayoutRun run;
  AddReads("get", 1, 1, run);
  // 200 × 100 × 30 s are 600,000 requests and units.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(4500, "key"), 100)->thin, 3U);
  // A partition serves 150 calls a second at least after thinning.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(4500, "key"), 400)->thin, 6U);
  EXPECT_EQ(SizeOfTrial(run, LimitOf(4500, "key"), 400)->work, 400'000);
  EXPECT_EQ(SizeOfTrial(run, LimitOf(310, "throughput"), 100)->thin, 2U);
  // One of six of 24 million would be too many.
  EXPECT_FALSE(SizeOfTrial(run, LimitOf(4500, "key"), 4000));
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
  EXPECT_EQ(SizeOfTrial(run, LimitOf(100, "throughput"), 1)->length_ms, 70'000);
  // 1,600 calls.
  EXPECT_EQ(SizeOfTrial(run, LimitOf(5, "throughput"), 0.05)->length_ms, 330'000);
  // More than an hour.
  EXPECT_FALSE(SizeOfTrial(run, LimitOf(0.4, "throughput"), 0.004));
}

TEST(TrialSize, CallsOfManyUnitsAreNotThinned) {
  LayoutRun run;
  AddReads("scan", 100, 1, run);
  // 1,600 calls at the limit take 36 s, which are 2.1 million requests and units.
  const auto size = SizeOfTrial(run, LimitOf(4500, "key"), 4.5);
  EXPECT_EQ(size->thin, 1U);
  EXPECT_EQ(size->length_ms, 46'000);
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
  EXPECT_EQ(reads->work, 100 * (2 + 101) * 3 * 30);  // of all calls of both
  EXPECT_EQ(TrialWeights(run, *reads), (std::vector<double>{1, 1}));
}

// Returns the trials of a limit that was computed as 100 and is `real`: up to 2 % above it, a trial
// is undecided where `has_doubt`.
std::string TrialsOf(double real, bool has_doubt = false) {
  std::vector<LimitTrial> trials;
  std::string text;
  while (const auto multiple = NextTrialMultiple(100, trials)) {
    double throttled = *multiple > real ? 0.02 : 0;
    if (has_doubt && *multiple > real && *multiple <= 1.02 * real) throttled = 0.005;
    trials.push_back({.multiple = *multiple, .throttled = throttled});
    text += (text.empty() ? "" : " ") + std::to_string(std::lround(*multiple)) +
            (throttled == 0     ? ""
             : throttled < 0.01 ? "?"
                                : "!");
  }
  return text;
}

TEST(NextTrialMultiple, NarrowsUntilWhatHoldsAndWhatBreaksAreNear) {
  EXPECT_EQ(TrialsOf(100), "95 105!");
  EXPECT_EQ(TrialsOf(90), "95! 76 85 90!");
  EXPECT_EQ(TrialsOf(60), "95! 76! 61! 49 55 58");
  EXPECT_EQ(TrialsOf(110), "95 105 131! 117! 111!");
  EXPECT_EQ(TrialsOf(1e9), "95 105 131 164 205 256 320 400 500 625");
  EXPECT_EQ(TrialsOf(0), "95! 76! 61! 49! 39! 31! 25! 20! 16! 13!");
  // What is undecided between the two ends the search.
  EXPECT_EQ(TrialsOf(95, true), "95? 76 105!");
  EXPECT_EQ(TrialsOf(104, true), "95 105? 131!");
}

}  // namespace
}  // namespace hashrange
