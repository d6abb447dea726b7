#include "engine/idempotency_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

using Api = IdempotencyTokens::Api;
using State = IdempotencyTokens::State;
using Sizes = std::vector<std::uint32_t>;
using ::testing::ElementsAre;

constexpr Api kWrite = Api::kTransactWriteItems;
constexpr RequestDigest kDigest = {1};
constexpr RequestDigest kOtherDigest = {2};

class IdempotencyTokensTest : public ::testing::Test {
 protected:
  State Begin(std::string_view token, std::int64_t now_ms, const RequestDigest& digest = kDigest,
              Api api = kWrite) {
    sizes_.clear();
    return tokens_.Begin(api, token, digest, now_ms, &sizes_);
  }

  void Complete(std::string_view token, std::int64_t now_ms, const Sizes& sizes,
                std::vector<std::uint64_t> tables = {1}) {
    tokens_.Complete(kWrite, token, now_ms, {sizes, std::move(tables)});
  }

  // Begins and completes a request with a token that is new.
  void Use(std::string_view token, std::int64_t now_ms, const Sizes& sizes = {},
           std::vector<std::uint64_t> tables = {1}) {
    EXPECT_EQ(Begin(token, now_ms), State::kNew);
    Complete(token, now_ms, sizes, std::move(tables));
  }
  void Restore(std::string_view token, CompletedRequest completed) {
    TokenRecord record;
    record.token = IdempotencyTokens::DigestOf(kWrite, token);
    record.request = kDigest;
    record.expiry_epoch_ms = 1000;
    record.completed = std::move(completed);
    tokens_.Restore(record);
  }

  IdempotencyTokens tokens_;
  Sizes sizes_;
};

TEST_F(IdempotencyTokensTest, ACompletedRequestIsReplayedWithItsSizes) {
  EXPECT_EQ(Begin("t", 0), State::kNew);
  Complete("t", 5, {10, 20});
  EXPECT_EQ(Begin("t", 6), State::kReplay);
  EXPECT_THAT(sizes_, ElementsAre(10, 20));
  EXPECT_EQ(Begin("other", 6), State::kNew);
}

TEST_F(IdempotencyTokensTest, AnotherRequestWithTheTokenIsAMismatch) {
  EXPECT_EQ(Begin("t", 0), State::kNew);
  EXPECT_EQ(Begin("t", 0, kOtherDigest), State::kMismatch);
  Complete("t", 0, {});
  EXPECT_EQ(Begin("t", 0, kOtherDigest), State::kMismatch);
  EXPECT_EQ(Begin("t", 0), State::kReplay);
}

TEST_F(IdempotencyTokensTest, AnExecutingTokenIsInProgressForever) {
  EXPECT_EQ(Begin("t", 0), State::kNew);
  EXPECT_EQ(Begin("t", 1), State::kInProgress);
  EXPECT_EQ(Begin("t", 2 * IdempotencyTokens::kLifetimeMs), State::kInProgress);
}

TEST_F(IdempotencyTokensTest, AnAbandonedTokenIsNew) {
  EXPECT_EQ(Begin("t", 0), State::kNew);
  tokens_.Abandon(kWrite, "t");
  EXPECT_EQ(Begin("t", 0, kOtherDigest), State::kNew);
}

TEST_F(IdempotencyTokensTest, ATokenIsForgottenTenMinutesAfterItsCompletion) {
  EXPECT_EQ(Begin("t", 0), State::kNew);
  Complete("t", 1000, {});
  EXPECT_EQ(Begin("t", 1000 + IdempotencyTokens::kLifetimeMs - 1), State::kReplay);
  EXPECT_EQ(Begin("t", 1000 + IdempotencyTokens::kLifetimeMs), State::kNew);
}

TEST_F(IdempotencyTokensTest, NoTokenWaitsForAnotherWhenTheClockIsSetBack) {
  const std::int64_t life = IdempotencyTokens::kLifetimeMs;
  const std::int64_t later = 100 * life;
  Use("a", later);
  Use("b", later - life);
  // The clock is set back by a little: each token has its own lifetime, though the first ends last.
  EXPECT_EQ(Begin("a", later - life), State::kReplay);
  EXPECT_EQ(Begin("b", later - 1), State::kReplay);
  EXPECT_EQ(Begin("b", later), State::kNew);
  EXPECT_EQ(Begin("a", later), State::kReplay);
  // The clock is set back by much: tokens that were completed in what is now the future are
  // unknown.
  EXPECT_EQ(Begin("a", 0, kOtherDigest), State::kNew);
  Complete("a", 0, {});
  EXPECT_EQ(Begin("a", 1, kOtherDigest), State::kReplay);
}

TEST_F(IdempotencyTokensTest, ClearForgetsTokensAtOnceOrWhenTheirRequestEnds) {
  for (int i = 0; i < 100; ++i) Use("t" + std::to_string(i), 0);
  EXPECT_EQ(Begin("underway", 0), State::kNew);
  tokens_.Clear();
  EXPECT_EQ(Begin("underway", 1), State::kInProgress);
  for (int i = 99; i >= 0; --i) {
    const std::string token = "t" + std::to_string(i);
    EXPECT_EQ(Begin(token, 1, kOtherDigest), State::kNew) << i;
    Complete(token, 1, {});
    EXPECT_EQ(Begin(token, 1, kOtherDigest), State::kReplay) << i;
  }
  // What the request wrote does not exist any more.
  Complete("underway", 1, {});
  EXPECT_EQ(Begin("underway", 1), State::kNew);
}

TEST_F(IdempotencyTokensTest, TokensOfATableAreForgottenAlone) {
  Use("one", 0, {}, {1});
  Use("two", 0, {}, {2});
  Use("both", 0, {}, {2, 1});
  EXPECT_EQ(Begin("underway", 0), State::kNew);
  tokens_.ForgetTable(1, 0);
  EXPECT_EQ(Begin("two", 1), State::kReplay);
  EXPECT_EQ(Begin("one", 1, kOtherDigest), State::kNew);
  EXPECT_EQ(Begin("both", 1, kOtherDigest), State::kNew);
  // What the request wrote does not exist any more.
  Complete("underway", IdempotencyTokens::kLifetimeMs - 1, {}, {1});
  EXPECT_EQ(Begin("underway", IdempotencyTokens::kLifetimeMs - 1), State::kNew);
  Complete("one", 2, {}, {3});
  EXPECT_EQ(Begin("one", 2, kOtherDigest), State::kReplay);
}

TEST_F(IdempotencyTokensTest, ATableStaysForgottenAsLongAsItsTokensLive) {
  const std::int64_t life = IdempotencyTokens::kLifetimeMs;
  Use("t", life / 2, {}, {1});
  // The clock is set back.
  tokens_.ForgetTable(1, 0);
  tokens_.ForgetTable(2, life + 1);
  EXPECT_EQ(Begin("t", life + 1), State::kNew);
}

TEST_F(IdempotencyTokensTest, IsIdleWhenNothingIsKnownOrUnderWay) {
  EXPECT_TRUE(tokens_.IsIdle(0));
  EXPECT_EQ(Begin("t", 0), State::kNew);
  EXPECT_FALSE(tokens_.IsIdle(0));
  Complete("t", 0, {});
  EXPECT_FALSE(tokens_.IsIdle(IdempotencyTokens::kLifetimeMs - 1));
  EXPECT_TRUE(tokens_.IsIdle(IdempotencyTokens::kLifetimeMs));
  EXPECT_EQ(Begin("u", 0), State::kNew);
  tokens_.Clear();
  EXPECT_FALSE(tokens_.IsIdle(0)) << "a request is under way";
  tokens_.Abandon(kWrite, "u");
  EXPECT_TRUE(tokens_.IsIdle(0));
}

TEST_F(IdempotencyTokensTest, ATokenThatIsUsedAgainHasANewLifetime) {
  const std::int64_t life = IdempotencyTokens::kLifetimeMs;
  Use("t", 0, {1});
  Use("t", life, {2});
  EXPECT_EQ(Begin("t", 2 * life - 1), State::kReplay);
  EXPECT_THAT(sizes_, ElementsAre(2));
  EXPECT_EQ(Begin("t", 2 * life), State::kNew);
}

TEST_F(IdempotencyTokensTest, ManyTokensAreDistinct) {
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    Use(std::to_string(i), i, Sizes(i % 101, i));
  }
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(Begin(std::to_string(i), 10'000), State::kReplay);
    ASSERT_EQ(sizes_, Sizes(i % 101, i));
  }
  EXPECT_EQ(Begin("0", IdempotencyTokens::kLifetimeMs), State::kNew);
  EXPECT_EQ(Begin("1", IdempotencyTokens::kLifetimeMs), State::kReplay);
}

TEST_F(IdempotencyTokensTest, ApisDoNotShareTokens) {
  Use("t", 0);
  EXPECT_EQ(Begin("t", 0, kOtherDigest, Api::kExecuteTransaction), State::kNew);
  EXPECT_EQ(Begin("t", 0, kDigest, Api::kExecuteTransaction), State::kMismatch);
}

TEST_F(IdempotencyTokensTest, ARestoredTokenIsKnownUntilItExpires) {
  Restore("t", {{3, 4}, {8}});
  EXPECT_FALSE(tokens_.IsIdle(999));
  EXPECT_EQ(Begin("t", 999), State::kReplay);
  EXPECT_THAT(sizes_, ElementsAre(3, 4));
  EXPECT_EQ(Begin("t", 999, kOtherDigest), State::kMismatch);
  EXPECT_EQ(Begin("t", 999, kDigest, Api::kExecuteTransaction), State::kNew);
  EXPECT_EQ(Begin("t", 1000), State::kNew);
}

TEST_F(IdempotencyTokensTest, ARestoredTokenIsForgottenWithItsTable) {
  Restore("t", {{}, {std::uint64_t{8} << 32}});
  tokens_.ForgetTable(8, 1);
  EXPECT_EQ(Begin("t", 1), State::kReplay);
  tokens_.ForgetTable(std::uint64_t{8} << 32, 1);
  EXPECT_EQ(Begin("t", 1), State::kNew);
}

TEST_F(IdempotencyTokensTest, ATokenThatIsThereIsNotReplacedByARestoredOne) {
  EXPECT_EQ(Begin("t", 0), State::kNew);
  Restore("t", {});
  EXPECT_EQ(Begin("t", 0), State::kInProgress);
}

TEST(TokenRecord, AllMembersAreKept) {
  const TokenRecord record{"123456789012",    "us-east-1",
                           {1, 2, 0xff},      {9},
                           1'700'000'000'000, {{0, 5, 400'000}, {7, UINT64_MAX}}};
  const auto decoded = DecodeToken(EncodeToken(record));
  ASSERT_TRUE(decoded.ok());
  const auto& [account_id, region, token, request, expiry, completed] = *decoded;
  EXPECT_EQ(account_id, record.account_id);
  EXPECT_EQ(region, record.region);
  EXPECT_EQ(token, record.token);
  EXPECT_EQ(request, record.request);
  EXPECT_EQ(expiry, record.expiry_epoch_ms);
  EXPECT_THAT(completed.size_bytes, ElementsAre(0, 5, 400'000));
  EXPECT_THAT(completed.tables, ElementsAre(7, UINT64_MAX));
}

TEST(TokenRecord, DamagedBytesAreRefused) {
  EXPECT_FALSE(DecodeToken("").ok());
  EXPECT_FALSE(DecodeToken("\xff").ok());
  EXPECT_EQ(DecodeToken(EncodeToken({})).error().message, "the record of a token names no account");
}

}  // namespace
}  // namespace hashrange
