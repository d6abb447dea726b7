#include "engine/idempotency_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hashrange {
namespace {

using ::testing::ElementsAre;

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
