#include "base/clock.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(Clock, AManualClockMovesOnlyWhenItIsAdvanced) {
  ManualClock clock(1'000);
  EXPECT_EQ(clock.NowEpochMs(), 1'000);
  EXPECT_EQ(clock.NowEpochMs(), 1'000);
  clock.Advance(250);
  EXPECT_EQ(clock.NowEpochMs(), 1'250);
}

TEST(Clock, TheSystemClockIsInThisCenturyAndRuns) {
  const SystemClock clock;
  const std::int64_t first = clock.NowEpochMs();
  EXPECT_GT(first, 1'577'836'800'000);  // 2020-01-01
  EXPECT_LT(first, 4'102'444'800'000);  // 2100-01-01
  std::int64_t later = first;
  for (int i = 0; i < 100'000'000 && later == first; ++i) later = clock.NowEpochMs();
  EXPECT_NE(later, first);
}

}  // namespace
}  // namespace hashrange
