#include "simulation/partitions/demand_average.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hashrange {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

TEST(DemandAverage, SecondUnderWayDoesNotCountYet) {
  DemandAverage average;
  average.Add(100);
  EXPECT_EQ(average.units_per_second(), 0);
  average.EndSeconds(1, DemandAverage::KeptInASecond(kMinuteMs));
  EXPECT_NEAR(average.units_per_second(), 100 * (1 - std::exp(-1.0 / 60)), 1e-9);
}

TEST(DemandAverage, FollowsANewDemandBy63PercentInItsTime) {
  DemandAverage average;
  for (int second = 0; second < 60; ++second) {
    average.Add(1000);
    average.EndSeconds(1, DemandAverage::KeptInASecond(kMinuteMs));
  }
  EXPECT_NEAR(average.units_per_second(), 632.12, 0.01);
}

TEST(DemandAverage, SeveralSecondsAtOnceAreLikeOneAfterAnother) {
  const double keep = DemandAverage::KeptInASecond(kMinuteMs);
  DemandAverage at_once;
  DemandAverage each_second;
  for (DemandAverage* average : {&at_once, &each_second}) {
    average->Set(500);
    average->Add(300);
  }
  at_once.EndSeconds(100, keep);
  for (int second = 0; second < 100; ++second) each_second.EndSeconds(1, keep);
  EXPECT_NEAR(at_once.units_per_second(), each_second.units_per_second(), 1e-9);
}

TEST(DemandAverage, AverageOfNoTimeIsTheLatestSecond) {
  for (const std::int64_t average_ms : {std::int64_t{0}, std::int64_t{1}}) {
    DemandAverage average;
    average.Set(1e6);
    average.Add(7);
    average.EndSeconds(1, DemandAverage::KeptInASecond(average_ms));
    EXPECT_EQ(average.units_per_second(), 7);
  }
}

TEST(DemandAverage, YearsOfSilenceLeaveNothing) {
  DemandAverage average;
  average.Set(1e12);
  average.EndSeconds(1'000'000'000, DemandAverage::KeptInASecond(kMinuteMs));
  EXPECT_EQ(average.units_per_second(), 0);
}

}  // namespace
}  // namespace hashrange
