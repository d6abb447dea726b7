#include "store/files/store_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

using std::string_view_literals::operator""sv;

std::string ItemKey(std::uint64_t table_id, std::uint64_t hash, std::string_view key) {
  std::string bytes;
  AppendItemKey(table_id, hash, key, &bytes);
  return bytes;
}

TEST(StoreKeys, EachKindHasItsBytes) {
  EXPECT_EQ(StoreKey::OfTable(7).bytes(), "T\0\0\0\0\0\0\0\x07"sv);
  EXPECT_EQ(StoreKey::OfTableTags(0x0102030405060708).bytes(), "G\1\2\3\4\5\6\7\x08"sv);
  EXPECT_EQ(StoreKey::OfSeed(0x0102030405060708, 9).bytes(),
            "P\1\2\3\4\5\6\7\x08\0\0\0\0\0\0\0\x09"sv);
  EXPECT_EQ(StoreKey::OfStream(7).bytes(), "S\0\0\0\0\0\0\0\x07"sv);
  EXPECT_EQ(StoreKey::OfStreamTags(7).bytes(), "g\0\0\0\0\0\0\0\x07"sv);
  EXPECT_EQ(StoreKey::OfStreamRecord(7, 0x102, 3).bytes(),
            "R\0\0\0\0\0\0\0\x07\1\2\0\0\0\0\0\0\0\3"sv);
  EXPECT_EQ(StoreKey::OfToken(0x0102030405060708, 9).bytes(),
            "K\1\2\3\4\5\6\7\x08\0\0\0\0\0\0\0\x09"sv);
  EXPECT_EQ(StoreKey::OfCounter(255).bytes(), "C\xff"sv);
  EXPECT_EQ(ItemKey(1, 0xff00000000000002, "k\0\1"sv),
            "I\0\0\0\0\0\0\0\1\xff\0\0\0\0\0\0\2k\0\1"sv);
}

TEST(StoreKeys, PartsAreReadBack) {
  const auto parts = [](std::string_view bytes) { return ParseStoreKey(bytes).value(); };
  EXPECT_EQ(parts(StoreKey::OfTable(7).bytes()), (StoreKeyParts{RecordKind::kTable, 7, 0, 0, ""}));
  EXPECT_EQ(parts(StoreKey::OfStreamRecord(7, 65535, ~0ull).bytes()),
            (StoreKeyParts{RecordKind::kStreamRecord, 7, 65535, ~0ull, ""}));
  EXPECT_EQ(parts(StoreKey::OfToken(600'000, 9).bytes()),
            (StoreKeyParts{RecordKind::kToken, 600'000, 0, 9, ""}));
  EXPECT_EQ(parts(StoreKey::OfSeed(7, 9).bytes()), (StoreKeyParts{RecordKind::kSeed, 7, 0, 9, ""}));
  EXPECT_EQ(parts(StoreKey::OfCounter(3).bytes()),
            (StoreKeyParts{RecordKind::kCounter, 0, 0, 3, ""}));
  const std::string item = ItemKey(~0ull, 5, "k\0\1"sv);
  EXPECT_EQ(parts(item), (StoreKeyParts{RecordKind::kItem, ~0ull, 0, 5, "k\0\1"sv}));
}

TEST(StoreKeys, TheOrderOfBytesIsThatOfPositions) {
  const std::vector<std::string> ascending = {ItemKey(1, 255, "b"), ItemKey(1, 256, "a"),
                                              ItemKey(1, 256, "b"), ItemKey(1, ~0ull, "a"),
                                              ItemKey(2, 0, "a")};
  EXPECT_TRUE(std::is_sorted(ascending.begin(), ascending.end()));
}

TEST(StoreKeys, RangesHaveTheKeysOfOneOwner) {
  const auto has = [](const StoreKeyRange& range, std::string_view key) {
    return range.begin.bytes() <= key && key < range.end.bytes();
  };
  EXPECT_TRUE(has(StoreKeyRange::OfItems(255), ItemKey(255, 0, "")));
  EXPECT_TRUE(has(StoreKeyRange::OfItems(255), ItemKey(255, ~0ull, "\xff\xff"sv)));
  EXPECT_FALSE(has(StoreKeyRange::OfItems(255), ItemKey(254, ~0ull, "z")));
  EXPECT_FALSE(has(StoreKeyRange::OfItems(255), ItemKey(256, 0, "")));
  EXPECT_TRUE(
      has(StoreKeyRange::OfStreamRecords(7), StoreKey::OfStreamRecord(7, 65535, ~0ull).bytes()));
  EXPECT_FALSE(has(StoreKeyRange::OfStreamRecords(7), StoreKey::OfStreamRecord(8, 0, 0).bytes()));
  const StoreKeyRange shard = StoreKeyRange::OfStreamRecords(7, 2, 10, 20);
  EXPECT_TRUE(has(shard, StoreKey::OfStreamRecord(7, 2, 10).bytes()));
  EXPECT_FALSE(has(shard, StoreKey::OfStreamRecord(7, 2, 20).bytes()));
  EXPECT_FALSE(has(shard, StoreKey::OfStreamRecord(7, 3, 10).bytes()));
  EXPECT_TRUE(
      has(StoreKeyRange::OfExpiredTokens(600'000), StoreKey::OfToken(600'000, ~0ull).bytes()));
  EXPECT_FALSE(has(StoreKeyRange::OfExpiredTokens(600'000), StoreKey::OfToken(600'001, 0).bytes()));
}

TEST(StoreKeys, OtherBytesAreNoKey) {
  for (const std::string_view bytes :
       {""sv, "T"sv, "X\0\0\0\0\0\0\0\1"sv, "T\0\0\0\0\0\0\1"sv, "T\0\0\0\0\0\0\0\0\1"sv,
        "I\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1"sv, "K0123456789abcde"sv, "K0123456789abcdefg"sv, "C"sv,
        "C\0\0"sv, "R\0\0\0\0\0\0\0\1\0\0"sv}) {
    EXPECT_FALSE(ParseStoreKey(bytes)) << bytes;
  }
}

TEST(StoreKeys, SentencesNameTheKindAndThePlace) {
  EXPECT_EQ(StoreKeyText(StoreKey::OfTable(7).bytes()), "the table with id 7");
  EXPECT_EQ(StoreKeyText(StoreKey::OfTableTags(7).bytes()), "the tags of the table with id 7");
  EXPECT_EQ(StoreKeyText(StoreKey::OfStream(7).bytes()), "the stream with id 7");
  EXPECT_EQ(StoreKeyText(StoreKey::OfStreamTags(7).bytes()), "the tags of the stream with id 7");
  EXPECT_EQ(StoreKeyText(StoreKey::OfStreamRecord(7, 2, 9).bytes()),
            "record 9 of shard 2 of the stream with id 7");
  EXPECT_EQ(StoreKeyText(StoreKey::OfToken(600'000, 9).bytes()),
            "client request token 9 that expires at 600000");
  EXPECT_EQ(StoreKeyText(StoreKey::OfCounter(1).bytes()), "counter 1");
  EXPECT_EQ(StoreKeyText(ItemKey(7, 255, "a\0\1"sv)),
            "an item of the table with id 7 (key 00000000000000ff610001)");
  EXPECT_EQ(StoreKeyText("Z\1"), "unknown data (key 5a01)");
  EXPECT_EQ(StoreKeyText(""), "unknown data (key )");
}

TEST(StoreKeys, CountersAreReadAgain) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{255}, UINT64_MAX}) {
    const auto read = DecodeCounter(EncodeCounter(value));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, value);
  }
  EXPECT_FALSE(DecodeCounter("1234567").ok());
  EXPECT_FALSE(DecodeCounter("").ok());
}

}  // namespace
}  // namespace hashrange
