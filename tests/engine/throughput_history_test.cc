#include "engine/throughput_history.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kNoonMs = 20'000 * kDayMs + kDayMs / 2;
constexpr ProvisionedThroughput kMore = {10, 10}, kLess = {10, 5}, kOtherUnits = {5, 10};

TEST(ThroughputHistory, DecreasesCountOnTheirDay) {
  ThroughputHistory history;
  EXPECT_EQ(DecreasesToday(history, kNoonMs), 0);
  RecordChange(kMore, kLess, kNoonMs, &history);
  RecordChange(kLess, kOtherUnits, kNoonMs + 1, &history);  // raises the one and lowers the other
  RecordChange(kOtherUnits, kMore, kNoonMs + 2, &history);
  EXPECT_EQ(DecreasesToday(history, kNoonMs + kDayMs / 2 - 1), 2);
  EXPECT_EQ(history.last_decrease_epoch_ms, kNoonMs + 1);
  EXPECT_EQ(history.last_increase_epoch_ms, kNoonMs + 2);
  EXPECT_EQ(DecreasesToday(history, kNoonMs + kDayMs / 2), 0);
}

TEST(ThroughputHistory, ADecreaseOfTheNextDayIsItsFirst) {
  ThroughputHistory history;
  for (int i = 0; i < 3; ++i) RecordChange(kMore, kLess, kNoonMs, &history);
  RecordChange(kMore, kLess, kNoonMs + kDayMs, &history);
  EXPECT_EQ(DecreasesToday(history, kNoonMs + kDayMs), 1);
  StampChange(kMore, kLess, kNoonMs + 2 * kDayMs, &history);
  EXPECT_EQ(history.last_decrease_epoch_ms, kNoonMs + 2 * kDayMs);
  EXPECT_EQ(DecreasesToday(history, kNoonMs + 2 * kDayMs), 0);
}

TEST(ThroughputHistory, AChangeThatTakesEffectAfterMidnightCountsForTheNewDay) {
  ThroughputHistory history;
  RecordChange(kMore, kLess, kNoonMs, &history);
  RecordChange(kMore, kLess, kNoonMs, &history);
  CompleteChange(kMore, kLess, kNoonMs + 1, &history);
  EXPECT_EQ(DecreasesToday(history, kNoonMs + 1), 2);
  CompleteChange(kMore, kLess, kNoonMs + kDayMs, &history);
  EXPECT_EQ(DecreasesToday(history, kNoonMs + kDayMs), 1);
  EXPECT_EQ(history.last_decrease_epoch_ms, kNoonMs + kDayMs);
}

}  // namespace
}  // namespace hashrange
