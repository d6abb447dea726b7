#include "engine/stream/shard_iterator.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

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
