// Tests of the counts of refused accesses over time.
#include "partitions/refusal_history.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

constexpr std::int64_t kBeginMs = 1'700'000'000'000;

TEST(RefusalHistory, CountsByDirectionAndLimit) {
  RefusalHistory history(kBeginMs);
  history.Add(Direction::kWrite, ThrottlingLimit::kKeyRange, kBeginMs);
  history.Add(Direction::kWrite, ThrottlingLimit::kKeyRange, kBeginMs + 10'000);
  history.Add(Direction::kRead, ThrottlingLimit::kAccount, kBeginMs + 10'000);
  EXPECT_EQ(history.CountSince(0, Direction::kWrite, ThrottlingLimit::kKeyRange), 2);
  EXPECT_EQ(history.CountSince(kBeginMs + 1000, Direction::kWrite, ThrottlingLimit::kKeyRange), 1);
  EXPECT_EQ(history.CountSince(0, Direction::kRead, ThrottlingLimit::kAccount), 1);
  EXPECT_EQ(history.CountSince(0, Direction::kRead, ThrottlingLimit::kKeyRange), 0);
}

TEST(RefusalHistory, NothingIsLostWhenSlicesBecomeLonger) {
  RefusalHistory history(kBeginMs);
  constexpr int kHours = 5;
  for (int second = 0; second < kHours * 3600; second += 7) {
    history.Add(Direction::kWrite, ThrottlingLimit::kProvisioned, kBeginMs + second * 1000);
  }
  const std::int64_t all = (kHours * 3600 + 6) / 7;
  EXPECT_EQ(history.CountSince(0, Direction::kWrite, ThrottlingLimit::kProvisioned), all);
  const std::int64_t last_hour = history.CountSince(
      kBeginMs + (kHours - 1) * 3'600'000, Direction::kWrite, ThrottlingLimit::kProvisioned);
  // A slice is 256 s long by now.
  EXPECT_GE(last_hour, 3600 / 7);
  EXPECT_LE(last_hour, (3600 + 256) / 7 + 1);
}

}  // namespace
}  // namespace hashrange
