#include "engine/stream/shard_iterator.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

constexpr char kArn[] = "arn:aws:dynamodb:us-east-1:123456789012:table/app/stream/label";

TEST(ShardIterator, TextIsReadBack) {
  const ShardIterator issued{
      .stream_arn = kArn, .shard = 3, .position = 1ULL << 40, .issued_epoch_ms = 1'700'000'000'001};
  const std::string text = ShardIteratorText(issued);
  const auto read = ParseShardIterator(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->stream_arn, kArn);
  EXPECT_EQ(read->shard, 3u);
  EXPECT_EQ(read->position, 1ULL << 40);
  EXPECT_EQ(read->issued_epoch_ms, 1'700'000'000'001);
}

TEST(ShardIterator, ChangedTextIsNone) {
  const std::string text = ShardIteratorText({.stream_arn = kArn, .position = 7});
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(ParseShardIterator(changed)) << changed;
    EXPECT_FALSE(ParseShardIterator(text.substr(0, i))) << i;
    EXPECT_FALSE(ParseShardIterator(text.substr(i + 1))) << i;
  }
  EXPECT_FALSE(ParseShardIterator(text + "A"));
  EXPECT_FALSE(ParseShardIterator(""));
  EXPECT_FALSE(ParseShardIterator("garbage"));
  EXPECT_FALSE(ParseShardIterator(std::string(2048, '=')));
}

TEST(ShardIterator, ExpiresAfterFifteenMinutes) {
  const ShardIterator iterator{.issued_epoch_ms = 1000};
  EXPECT_FALSE(iterator.IsExpired(1000));
  EXPECT_FALSE(iterator.IsExpired(1000 + 15 * 60 * 1000));
  EXPECT_TRUE(iterator.IsExpired(1001 + 15 * 60 * 1000));
  EXPECT_FALSE(iterator.IsExpired(0)) << "a clock that was set back";
  EXPECT_TRUE(ShardIterator{.issued_epoch_ms = INT64_MIN}.IsExpired(0)) << "made up";
}

TEST(SequenceNumber, TextHas21Digits) {
  EXPECT_EQ(SequenceNumberText(1), "100000000000000000001");
  EXPECT_EQ(SequenceNumberText(12345), "100000000000000012345");
  EXPECT_EQ(SequenceNumberText(UINT64_MAX), "118446744073709551615");
}

TEST(SequenceNumber, TextIsReadBack) {
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{99}, UINT64_MAX}) {
    EXPECT_EQ(ParseSequenceNumber(SequenceNumberText(number)), number);
  }
}

TEST(SequenceNumber, OtherDigitsAreBelowOrAboveAll) {
  EXPECT_EQ(ParseSequenceNumber("0"), 0u);
  EXPECT_EQ(ParseSequenceNumber("000000000000000000000"), 0u);
  EXPECT_EQ(ParseSequenceNumber("099999999999999999999"), 0u);
  EXPECT_EQ(ParseSequenceNumber("100000000000000000000"), 0u);
  EXPECT_EQ(ParseSequenceNumber("0000100000000000000000007"), 7u);
  EXPECT_EQ(ParseSequenceNumber("118446744073709551616"), UINT64_MAX);
  EXPECT_EQ(ParseSequenceNumber("200000000000000000000"), UINT64_MAX);
  EXPECT_EQ(ParseSequenceNumber("1000000000000000000000"), UINT64_MAX);
  EXPECT_EQ(ParseSequenceNumber(std::string(40, '9')), UINT64_MAX);
}

TEST(SequenceNumber, AnythingButDigitsIsNone) {
  for (const char* text : {"", "-00000000000000000001", "10000000000000000000x",
                           " 100000000000000000001", "1000000000.0000000001"}) {
    EXPECT_EQ(ParseSequenceNumber(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hashrange
