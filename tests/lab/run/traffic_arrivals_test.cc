#include "lab/run/traffic_arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hashrange {
namespace {

TEST(TrafficFactor, ConstantTrafficHasTheAreaOfARectangle) {
  const TrafficFactor factor(std::vector<LabPhase>{{.length_ms = 10'000, .from = 3}});
  EXPECT_DOUBLE_EQ(factor.length_s(), 10);
  EXPECT_DOUBLE_EQ(factor.whole_area_s(), 30);
  EXPECT_DOUBLE_EQ(factor.SecondsAtArea(0).value(), 0);
  EXPECT_DOUBLE_EQ(factor.SecondsAtArea(6).value(), 2);
  EXPECT_EQ(factor.SecondsAtArea(30), std::nullopt);
}

TEST(TrafficFactor, TheGreatestFactorIsThatOfAnyPhase) {
  EXPECT_EQ(TrafficFactor(std::vector<LabPhase>{}).greatest(), 0);
  EXPECT_EQ(TrafficFactor({{.length_ms = 1000, .from = 2},
                           {.kind = LabPhase::Kind::kRamp, .length_ms = 1000, .from = 5, .to = 1},
                           {.kind = LabPhase::Kind::kSpike, .length_ms = 1000, .from = 1, .to = 4}})
                .greatest(),
            5);
}

TEST(TrafficFactor, RampIsInverted) {
  // After x seconds the area is x + 7x²/20.
  const TrafficFactor factor(std::vector<LabPhase>{
      {.kind = LabPhase::Kind::kRamp, .length_ms = 10'000, .from = 1, .to = 8}});
  EXPECT_DOUBLE_EQ(factor.whole_area_s(), 45);
  for (const double x : {0.5, 2.0, 9.0}) {
    EXPECT_NEAR(factor.SecondsAtArea(x + 7 * x * x / 20).value(), x, 1e-9);
  }
}

TEST(TrafficFactor, RampToNothingIsInvertedUpToItsEnd) {
  const TrafficFactor factor(std::vector<LabPhase>{
      {.kind = LabPhase::Kind::kRamp, .length_ms = 10'000, .from = 2, .to = 0}});
  EXPECT_NEAR(factor.SecondsAtArea(9.999999).value(), 10, 0.01);
}

TEST(TrafficFactor, StretchWithoutTrafficIsPassedOver) {
  const TrafficFactor factor({{.length_ms = 1000, .from = 1},
                              {.length_ms = 5000, .from = 0},
                              {.length_ms = 1000, .from = 1}});
  EXPECT_NEAR(factor.SecondsAtArea(0.5).value(), 0.5, 1e-9);
  EXPECT_NEAR(factor.SecondsAtArea(1.5).value(), 6.5, 1e-9);
}

TEST(TrafficFactor, SpikeIsGreatestInTheMiddle) {
  const TrafficFactor factor(std::vector<LabPhase>{
      {.kind = LabPhase::Kind::kSpike, .length_ms = 10'000, .from = 1, .to = 9}});
  EXPECT_DOUBLE_EQ(factor.whole_area_s(), 50);
  EXPECT_NEAR(factor.SecondsAtArea(25).value(), 5, 1e-9);
  // After x seconds of a half, the area is x + 4x²/5 where it rises and 9x - 4x²/5 where it falls.
  for (const double x : {0.5, 2.0, 4.5}) {
    EXPECT_NEAR(factor.SecondsAtArea(x + 0.8 * x * x).value(), x, 1e-9);
    EXPECT_NEAR(factor.SecondsAtArea(25 + 9 * x - 0.8 * x * x).value(), 5 + x, 1e-9);
  }
}

TEST(TrafficFactor, SinusoidBeginsAtItsLeastAndHasItsMean) {
  const TrafficFactor factor({{.kind = LabPhase::Kind::kSinusoid,
                               .length_ms = 20'000,
                               .from = 0,
                               .to = 2,
                               .period_ms = 10'000}});
  EXPECT_NEAR(factor.whole_area_s(), 20, 1e-9);
  // The first second is 1 − cos from 0 to a tenth of a turn: its area is 1 − 10·sin(2π/10)/2π.
  const double area = 1 - 10 * std::sin(6.283185307 / 10) / 6.283185307;
  EXPECT_NEAR(factor.SecondsAtArea(area).value(), 1, 1e-3);
  EXPECT_NEAR(factor.SecondsAtArea(10).value(), 10, 1e-2);
}

TEST(TrafficFactor, TimesBelongToTheirPhases) {
  const TrafficFactor factor(std::vector<LabPhase>{{.length_ms = 1000}, {.length_ms = 2000}});
  EXPECT_EQ(factor.PhaseAt(0), 0U);
  EXPECT_EQ(factor.PhaseAt(0.999), 0U);
  EXPECT_EQ(factor.PhaseAt(1), 1U);
  EXPECT_EQ(factor.PhaseAt(3), 1U);  // the end belongs to the last phase
}

std::vector<CallArrival> AllArrivals(std::uint64_t seed, int pattern, double rate,
                                     const TrafficFactor& factor) {
  CallArrivals arrivals(seed, pattern, rate, factor);
  std::vector<CallArrival> all;
  while (const auto next = arrivals.Next()) all.push_back(*next);
  return all;
}

TEST(CallArrivals, ArePoissonAtTheDeclaredRate) {
  const TrafficFactor factor(std::vector<LabPhase>{{.length_ms = 100'000}});
  const auto all = AllArrivals(7, 0, 100, factor);
  EXPECT_NEAR(static_cast<double>(all.size()), 10'000, 4 * 100);
  // In a Poisson process of one call in 10 ms, a share of e^−1 of all windows of 10 ms has no call.
  std::vector<bool> has_call(10'000);
  for (const CallArrival& arrival : all) {
    has_call[static_cast<std::size_t>(arrival.time_us / 10'000)] = true;
  }
  const auto empty = static_cast<double>(std::count(has_call.begin(), has_call.end(), false));
  EXPECT_NEAR(empty / 10'000, 0.3679, 0.02);
}

TEST(CallArrivals, FollowTheTraffic) {
  const TrafficFactor factor(
      std::vector<LabPhase>{{.length_ms = 50'000, .from = 1}, {.length_ms = 50'000, .from = 4}});
  std::size_t before = 0, after = 0;
  for (const CallArrival& arrival : AllArrivals(7, 0, 100, factor)) {
    ++(arrival.time_us < 50'000'000 ? before : after);
  }
  EXPECT_NEAR(static_cast<double>(before), 5000, 300);
  EXPECT_NEAR(static_cast<double>(after), 20'000, 600);
}

TEST(CallArrivals, RiseAndAreNumbered) {
  const TrafficFactor factor(
      std::vector<LabPhase>{{.kind = LabPhase::Kind::kRamp, .length_ms = 9000, .to = 5}});
  std::int64_t latest = 0;
  std::uint64_t number = 0;
  for (const CallArrival& arrival : AllArrivals(1, 3, 50, factor)) {
    EXPECT_GE(arrival.time_us, latest);
    EXPECT_EQ(arrival.number, number++);
    latest = arrival.time_us;
  }
  EXPECT_GT(number, 1000U);
}

TEST(CallArrivals, RepeatWithTheSeedAndDifferWithTheSeedAndThePattern) {
  const TrafficFactor factor(std::vector<LabPhase>{{.length_ms = 1000}});
  const auto times = [&](std::uint64_t seed, int pattern) {
    std::vector<std::int64_t> all;
    for (const auto& arrival : AllArrivals(seed, pattern, 100, factor)) {
      all.push_back(arrival.time_us);
    }
    return all;
  };
  EXPECT_EQ(times(7, 2), times(7, 2));
  EXPECT_NE(times(7, 2), times(8, 2));
  EXPECT_NE(times(7, 2), times(7, 3));
}

}  // namespace
}  // namespace hashrange
