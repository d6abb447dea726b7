#include "lab/run/traffic_factor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace hashrange {
namespace {

using Kind = LabPhase::Kind;

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
                           {.kind = Kind::kRamp, .length_ms = 1000, .from = 5, .to = 1},
                           {.kind = Kind::kSpike, .length_ms = 1000, .from = 1, .to = 4}})
                .greatest(),
            5);
}

TEST(TrafficFactor, RampIsInverted) {
  // After x seconds the area is x + 7x²/20.
  const TrafficFactor factor(
      std::vector<LabPhase>{{.kind = Kind::kRamp, .length_ms = 10'000, .from = 1, .to = 8}});
  EXPECT_DOUBLE_EQ(factor.whole_area_s(), 45);
  for (const double x : {0.5, 2.0, 9.0}) {
    EXPECT_NEAR(factor.SecondsAtArea(x + 7 * x * x / 20).value(), x, 1e-9);
  }
}

TEST(TrafficFactor, RampToNothingIsInvertedUpToItsEnd) {
  const TrafficFactor factor(
      std::vector<LabPhase>{{.kind = Kind::kRamp, .length_ms = 10'000, .from = 2, .to = 0}});
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
  const TrafficFactor factor(
      std::vector<LabPhase>{{.kind = Kind::kSpike, .length_ms = 10'000, .from = 1, .to = 9}});
  EXPECT_DOUBLE_EQ(factor.whole_area_s(), 50);
  EXPECT_NEAR(factor.SecondsAtArea(25).value(), 5, 1e-9);
  // After x seconds of a half, the area is x + 4x²/5 where it rises and 9x - 4x²/5 where it falls.
  for (const double x : {0.5, 2.0, 4.5}) {
    EXPECT_NEAR(factor.SecondsAtArea(x + 0.8 * x * x).value(), x, 1e-9);
    EXPECT_NEAR(factor.SecondsAtArea(25 + 9 * x - 0.8 * x * x).value(), 5 + x, 1e-9);
  }
}

TEST(TrafficFactor, SinusoidBeginsAtItsLeastAndHasItsMean) {
  const TrafficFactor factor(
      {{.kind = Kind::kSinusoid, .length_ms = 20'000, .from = 0, .to = 2, .period_ms = 10'000}});
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

}  // namespace
}  // namespace hashrange
