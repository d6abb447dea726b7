// Tests of the throughput arithmetic: bursts, refill, debts, changed rates
// (docs/service/20-partition-model.md, section 2).
#include "simulation/partitions/token_bucket.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

constexpr std::int64_t kBucketStartMs = 1'700'000'000'000;

// Takes one unit after another at one instant while the bucket is open. Returns how many.
int TakeAll(TokenBucket& bucket, std::int64_t now_ms) {
  int taken = 0;
  for (; bucket.IsOpen(now_ms); ++taken) bucket.Take(1, now_ms);
  return taken;
}

TEST(TokenBucket, BeginsWithTheUnitsOfOneSecond) {
  TokenBucket bucket(5, TokenBucket::kTableBurstMs, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs), 5);
  EXPECT_EQ(TakeAll(bucket, kBucketStartMs), 5);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs));
}

TEST(TokenBucket, FillsByTheMillisecond) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  bucket.Take(1, kBucketStartMs);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs));
  EXPECT_TRUE(bucket.IsOpen(kBucketStartMs + 1));
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 1), 0.001);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 1500), 1.5);
}

TEST(TokenBucket, KeepsWhatWasUnusedOf300Seconds) {
  TokenBucket bucket(150, TokenBucket::kTableBurstMs, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 298'999), 150 + 44'849.85);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 299'000), 45'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 300'000), 45'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 1'000'000'000), 45'000);
}

// The service's own example: 45,000 units of burst, taken at 200 a second, last for 900 s.
TEST(TokenBucket, BurstAtTwoHundredLastsForNineHundredSeconds) {
  TokenBucket bucket(150, TokenBucket::kTableBurstMs, kBucketStartMs);
  const std::int64_t begin_ms = kBucketStartMs + 300'000;
  EXPECT_EQ(bucket.UnitsLeft(begin_ms), 45'000);
  std::int64_t now_ms = begin_ms;
  for (; bucket.IsOpen(now_ms); now_ms += 5) bucket.Take(1, now_ms);
  EXPECT_EQ(now_ms - begin_ms, 900'000);
}

TEST(TokenBucket, IsDebitedBelowZeroAndClosedUntilItIsAbove) {
  TokenBucket bucket(10, TokenBucket::kTableBurstMs, kBucketStartMs);
  bucket.Take(128, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs), -118);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs + 11'800));
  EXPECT_TRUE(bucket.IsOpen(kBucketStartMs + 11'801));
}

TEST(TokenBucket, DebtLargerThanTheBucketTakesLonger) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  bucket.Take(1001, kBucketStartMs);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs + 1'000'000));
  EXPECT_TRUE(bucket.IsOpen(kBucketStartMs + 1'000'001));
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 10'000'000), 300);
}

TEST(TokenBucket, HalfUnitsAreExact) {
  TokenBucket bucket(3, TokenBucket::kTableBurstMs, kBucketStartMs);
  for (int i = 0; i < 5; ++i) bucket.Take(0.5, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs), 0.5);
  EXPECT_TRUE(bucket.IsOpen(kBucketStartMs));
  bucket.Take(0.5, kBucketStartMs);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs));
}

TEST(TokenBucket, GivesBackNoMoreThanFits) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  bucket.Take(1, kBucketStartMs);
  bucket.Take(-1, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs), 1);
  bucket.Take(-1000, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs), 300);
}

TEST(TokenBucket, RaisedRateKeepsWhatWasSaved) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 500'000), 300);
  bucket.SetRate(10, kBucketStartMs + 500'000, kBucketStartMs + 500'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 500'000), 300);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 510'000), 400);
}

TEST(TokenBucket, LoweredRateKeepsWhatFits) {
  TokenBucket bucket(10, TokenBucket::kTableBurstMs, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 400'000), 3000);
  bucket.SetRate(1, kBucketStartMs + 400'000, kBucketStartMs + 400'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 400'000), 300);
}

// The new rate is noticed ten seconds after it has changed.
TEST(TokenBucket, RateCountsFromWhenItChanged) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  bucket.SetRate(10, kBucketStartMs + 20'000, kBucketStartMs + 30'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 30'000), 1 + 20 + 100);
  // A change that is older than the last fill does not fill twice.
  bucket.SetRate(20, kBucketStartMs, kBucketStartMs + 30'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 30'000), 121);
  // A change in the future does not fill twice either.
  bucket.SetRate(30, kBucketStartMs + 90'000, kBucketStartMs + 31'000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 31'000), 141);
}

TEST(TokenBucket, TimeThatPassesAgainIsNotCreditedAgain) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 10'000), 11);
  bucket.Take(11, kBucketStartMs);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs + 9000));
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs + 10'000));
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 11'000), 1);
  // The rate is changed while the clock is back.
  bucket.SetRate(2, kBucketStartMs + 5000, kBucketStartMs + 5000);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 11'000), 1);
  EXPECT_EQ(bucket.UnitsLeft(kBucketStartMs + 12'000), 3);
}

TEST(TokenBucket, AClockThatIsSetBackByMoreThanIsSavedBeginsAnew) {
  TokenBucket bucket(1, TokenBucket::kTableBurstMs, kBucketStartMs);
  bucket.Take(1, kBucketStartMs);
  const std::int64_t back_ms = kBucketStartMs - TokenBucket::kTableBurstMs;
  EXPECT_EQ(bucket.UnitsLeft(back_ms), 0);
  EXPECT_EQ(bucket.UnitsLeft(back_ms + 1000), 0);
  EXPECT_EQ(bucket.UnitsLeft(back_ms - 1), 0);
  EXPECT_EQ(bucket.UnitsLeft(back_ms + 999), 1);
}

TEST(TokenBucket, LargestRateDoesNotOverflow) {
  TokenBucket bucket(INT64_MAX, TokenBucket::kTableBurstMs, 0);
  EXPECT_EQ(bucket.units_per_second(), TokenBucket::kMaxUnitsPerSecond);
  EXPECT_EQ(bucket.UnitsLeft(INT64_MAX), 3e14);
  bucket.Take(1e6, INT64_MAX);
  EXPECT_EQ(bucket.UnitsLeft(INT64_MAX), 3e14 - 1e6);
}

TEST(TokenBucket, RateOfNothingNeverOpensAgain) {
  TokenBucket bucket(0, TokenBucket::kTableBurstMs, kBucketStartMs);
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs));
  EXPECT_FALSE(bucket.IsOpen(kBucketStartMs + 1'000'000));
}

}  // namespace
}  // namespace hashrange
