#include "base/record_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hashrange {
namespace {

using ::testing::ElementsAre;

enum class Colour { kRed, kGreen, kBlue };

struct Leaf {
  std::string name;
  std::int64_t number = 7;  // not 0: a record without the field gives 0
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

template <typename Fields>
void VisitFields(Fields& fields, Leaf& leaf) {
  fields.Field(1, leaf.name);
  fields.Field(2, leaf.number);
}

struct Everything {
  bool flag = false;
  std::uint32_t small = 0;
  std::uint64_t large = 0;
  std::int64_t below = 0;
  Colour colour = Colour::kRed;
  std::string text;
  std::array<std::uint8_t, 4> bytes = {};
  std::optional<std::int64_t> maybe;
  std::optional<std::string> maybe_text;
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> texts;
  Leaf leaf;
  std::optional<Leaf> maybe_leaf;
  std::vector<Leaf> leaves;
  friend bool operator==(const Everything&, const Everything&) = default;
};

template <typename Fields>
void VisitFields(Fields& fields, Everything& all) {
  fields.Field(1, all.flag);
  fields.Field(2, all.small);
  fields.Field(3, all.large);
  fields.Field(4, all.below);
  fields.Enum(5, all.colour, Colour::kBlue);
  fields.Field(6, all.text);
  fields.Field(7, all.bytes);
  fields.Field(8, all.maybe);
  fields.Field(9, all.maybe_text);
  fields.Field(10, all.numbers);
  fields.Field(11, all.texts);
  fields.Field(12, all.leaf);
  fields.Field(13, all.maybe_leaf);
  fields.Field(200, all.leaves);
}

// A record that contains itself.
struct Nest {
  std::vector<Nest> inner;
};

template <typename Fields>
void VisitFields(Fields& fields, Nest& nest) {
  fields.Field(1, nest.inner);
}

Everything Full() {
  return {true,
          UINT32_MAX,
          UINT64_MAX,
          INT64_MIN,
          Colour::kBlue,
          std::string("a\0b", 3),
          {1, 2, 3, 0xff},
          0,
          "",
          {0, 1, 300},
          {"", "x"},
          {"leaf", -1},
          Leaf{"", INT64_MAX},
          {{"one", 1}, {"", 0}}};
}

std::string ProblemOf(std::string_view bytes) {
  Everything all;
  const Status status = DecodeRecord(bytes, "it", &all);
  return status.ok() ? "" : status.error().message;
}

TEST(RecordFields, EveryKindOfFieldIsRead) {
  Everything all;
  ASSERT_TRUE(DecodeRecord(EncodeRecord(Full()), "it", &all).ok());
  EXPECT_TRUE(all == Full());
}

TEST(RecordFields, AMissingFieldIsEmptyOrZero) {
  Leaf leaf{"before", 5};
  ASSERT_TRUE(DecodeRecord("", "it", &leaf).ok());
  EXPECT_EQ(leaf.name, "");
  EXPECT_EQ(leaf.number, 0);
  EXPECT_EQ(EncodeRecord(Leaf{"", 0}), "");
}

TEST(RecordFields, TheBytesAreAsDescribed) {
  EXPECT_EQ(EncodeRecord(Leaf{"ab", -2}), std::string("\x03\x02"
                                                      "ab\x04\x03"));
  EXPECT_EQ(EncodeRecord(Leaf{"", 64}), std::string("\x04\x80\x01"));
}

TEST(RecordFields, UnknownFieldsAreSkipped) {
  Leaf leaf;
  ASSERT_TRUE(
      DecodeRecord(std::string_view("\x03\x01z\x04\x02\x06\x7f\x09\x02!!", 11), "it", &leaf).ok());
  EXPECT_EQ(leaf.name, "z");
  EXPECT_EQ(leaf.number, 1);
}

TEST(RecordFields, EveryProblemHasASentence) {
  EXPECT_EQ(ProblemOf("\x80"), "it is damaged: the bytes end inside a number");
  EXPECT_EQ(ProblemOf("\x02"), "it is damaged: the bytes end inside a number");
  EXPECT_EQ(ProblemOf(std::string_view("\x00\x01", 2)),
            "it is damaged: a field has an impossible number");
  EXPECT_EQ(ProblemOf("\xff\xff\xff\xff\x01\x01"),
            "it is damaged: a field has an impossible number");
  EXPECT_EQ(ProblemOf("\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
            "it is damaged: the bytes end inside a number");
  EXPECT_EQ(ProblemOf("\x0d\x05"
                      "ab"),
            "it is damaged: field 6 is longer than the record");
  EXPECT_EQ(ProblemOf("\x04\x01\x02\x01"), "it is damaged: field 1 comes behind field 2");
  EXPECT_EQ(ProblemOf("\x02\x01\x02\x01"), "it is damaged: field 1 is repeated");
  EXPECT_EQ(ProblemOf("\x02\x02"), "it is damaged: field 1 is too large");
  EXPECT_EQ(ProblemOf("\x04\x80\x80\x80\x80\x10"), "it is damaged: field 2 is too large");
  EXPECT_EQ(ProblemOf("\x0a\x03"), "it is damaged: field 5 is too large");
  EXPECT_EQ(ProblemOf(std::string_view("\x03\x00", 2)), "it is damaged: field 1 is no number");
  EXPECT_EQ(ProblemOf("\x0c\x01"), "it is damaged: field 6 is no text");
  EXPECT_EQ(ProblemOf("\x0f\x01z"), "it is damaged: field 7 has a wrong length");
  EXPECT_EQ(ProblemOf("\x18\x01"), "it is damaged: field 12 is no record");
  EXPECT_EQ(ProblemOf("\x19\x02\x02\x01"), "it is damaged: field 12: field 1 is no text");
}

TEST(RecordFields, DepthAndRepeatsAreBounded) {
  std::string bytes;
  for (int depth = 0; depth < StoredFieldReader::kMaxDepth; ++depth) {
    bytes = std::string("\x03") + static_cast<char>(bytes.size()) + bytes;
  }
  Nest nest;
  EXPECT_TRUE(DecodeRecord(bytes, "it", &nest).ok());
  bytes = std::string("\x03") + static_cast<char>(bytes.size()) + bytes;
  EXPECT_FALSE(DecodeRecord(bytes, "it", &nest).ok());

  std::string repeats;
  for (std::size_t i = 0; i < StoredFieldReader::kMaxRepeats; ++i)
    repeats += std::string("\x03\x00", 2);
  EXPECT_TRUE(DecodeRecord(repeats, "it", &nest).ok());
  EXPECT_EQ(nest.inner.size(), StoredFieldReader::kMaxRepeats);
  EXPECT_FALSE(DecodeRecord(repeats + std::string("\x03\x00", 2), "it", &nest).ok());
}

TEST(RecordFields, NoDamageIsReadBehindItsEnd) {
  const std::string bytes = EncodeRecord(Full());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    ProblemOf({cut.data(), cut.size()});
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {0, 1, 3, 6, 7}) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      ProblemOf(flipped);
    }
  }
}

}  // namespace
}  // namespace hashrange
