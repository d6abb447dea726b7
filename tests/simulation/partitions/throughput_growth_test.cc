// Tests of what an on-demand table grows to (docs/service/20-partition-model.md, section 1).
#include "simulation/partitions/throughput_growth.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kAfterMs = 30 * kMinuteMs;
// The beginning of a minute.
constexpr std::int64_t kStartMs = 28'333'333 * kMinuteMs;

// Serves this many units a second for a minute that begins at `begin_ms`.
void ServeMinute(ThroughputGrowth& growth, double units_per_second, std::int64_t begin_ms) {
  for (int second = 0; second < 60; ++second)
    growth.Add(units_per_second, begin_ms + 1000 * second);
}

TEST(ThroughputGrowth, ServesTwiceTheHighestMinuteAfterItsTime) {
  ThroughputGrowth growth(4000, kAfterMs, kStartMs);
  ServeMinute(growth, 3000, kStartMs);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + kMinuteMs + kAfterMs - 1), 4000);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + kMinuteMs + kAfterMs), 6000);
}

TEST(ThroughputGrowth, NeverShrinks) {
  ThroughputGrowth growth(4000, 0, kStartMs);
  ServeMinute(growth, 3000, kStartMs);
  ServeMinute(growth, 2500, kStartMs + kMinuteMs);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + 1000 * kMinuteMs), 6000);
}

TEST(ThroughputGrowth, HalfOfWhatIsServedIsNoGrowth) {
  ThroughputGrowth growth(4000, 0, kStartMs);
  ServeMinute(growth, 2000, kStartMs);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + 1000 * kMinuteMs), 4000);
}

TEST(ThroughputGrowth, GrowsStepByStep) {
  ThroughputGrowth growth(4000, kAfterMs, kStartMs);
  ServeMinute(growth, 3000, kStartMs);
  ServeMinute(growth, 4000, kStartMs + kMinuteMs);
  const std::int64_t first_ms = kStartMs + kMinuteMs + kAfterMs;
  EXPECT_EQ(growth.UnitsPerSecond(first_ms), 6000);
  EXPECT_EQ(growth.UnitsPerSecond(first_ms + kMinuteMs - 1), 6000);
  EXPECT_EQ(growth.UnitsPerSecond(first_ms + kMinuteMs), 8000);
}

// A minute counts as a whole: a burst of one second is little.
TEST(ThroughputGrowth, BurstCountsByItsMinute) {
  ThroughputGrowth growth(4000, 0, kStartMs);
  growth.Add(60'000, kStartMs + 59'999);
  growth.Add(60'000, kStartMs + kMinuteMs);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + 2 * kMinuteMs), 4000);
  growth.Add(180'000, kStartMs + 2 * kMinuteMs);
  growth.Add(180'000, kStartMs + 3 * kMinuteMs - 1);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + 3 * kMinuteMs), 12'000);
}

TEST(ThroughputGrowth, RaiseHoldsAtOnce) {
  ThroughputGrowth growth(4000, kAfterMs, kStartMs);
  growth.Raise(9000);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs), 9000);
  growth.Raise(5000);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs), 9000);
}

TEST(ThroughputGrowth, GrowthThatIsDueBelowARaiseChangesNothing) {
  ThroughputGrowth growth(4000, kAfterMs, kStartMs);
  ServeMinute(growth, 3000, kStartMs);
  growth.UnitsPerSecond(kStartMs + kMinuteMs);
  growth.Raise(50'000);
  EXPECT_EQ(growth.UnitsPerSecond(kStartMs + kMinuteMs + kAfterMs), 50'000);
}

}  // namespace
}  // namespace hashrange
