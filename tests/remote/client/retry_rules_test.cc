#include "remote/client/retry_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hashrange {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(RetryRules, KindsOfFailures) {
  EXPECT_EQ(RetryKindOf(400, "ThrottlingException"), RetryKind::kThrottled);
  EXPECT_EQ(RetryKindOf(400, "ProvisionedThroughputExceededException"), RetryKind::kThrottled);
  EXPECT_EQ(RetryKindOf(400, "RequestLimitExceeded"), RetryKind::kThrottled);
  EXPECT_EQ(RetryKindOf(400, "TransactionInProgressException"), RetryKind::kThrottled);
  EXPECT_EQ(RetryKindOf(500, "InternalServerError"), RetryKind::kTransient);
  EXPECT_EQ(RetryKindOf(503, ""), RetryKind::kTransient);
  EXPECT_EQ(RetryKindOf(501, ""), RetryKind::kNever);
  EXPECT_EQ(RetryKindOf(400, "ValidationException"), RetryKind::kNever);
  EXPECT_EQ(RetryKindOf(400, "ConditionalCheckFailedException"), RetryKind::kNever);
  EXPECT_EQ(RetryKindOf(200, ""), RetryKind::kNever);
}

TEST(RetryRules, WaitsGrowToABound) {
  Random random(1);
  const auto longest_of = [&](int attempts) {
    microseconds longest{0};
    for (int i = 0; i < 1000; ++i) {
      longest =
          std::max(longest, RetryWait(attempts, milliseconds(100), milliseconds(1000), random));
    }
    return longest;
  };
  const auto is_near = [](microseconds wait, milliseconds bound) {
    return wait <= bound && wait > bound * 9 / 10;
  };
  EXPECT_TRUE(is_near(longest_of(1), milliseconds(100)));
  EXPECT_TRUE(is_near(longest_of(3), milliseconds(400)));
  EXPECT_TRUE(is_near(longest_of(5), milliseconds(1000)));
  EXPECT_TRUE(is_near(longest_of(1'000'000), milliseconds(1000)));
}

TEST(RetryRules, TokensEnd) {
  RetryTokens tokens;
  int taken = 0;
  while (tokens.Take(RetryKind::kTransient)) ++taken;
  EXPECT_EQ(taken, 100);
  for (int i = 0; i < 5; ++i) tokens.Return(RetryKind::kNever);
  EXPECT_FALSE(tokens.Take(RetryKind::kTimeout));
  EXPECT_TRUE(tokens.Take(RetryKind::kThrottled));
  for (int i = 0; i < 1000; ++i) tokens.Return(RetryKind::kTimeout);
  for (taken = 0; tokens.Take(RetryKind::kTimeout);) ++taken;
  EXPECT_EQ(taken, 50);
}

}  // namespace
}  // namespace hashrange
