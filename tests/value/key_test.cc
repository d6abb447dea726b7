#include "value/key.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "value/value_builder.h"

namespace hashrange {
namespace {

std::string_view Bytes(const char* literal, std::size_t size) { return {literal, size}; }

TEST(EncodeParts, WritesTheDocumentedBytes) {
  ValueBuilder v;
  const auto encoded = [&](std::vector<ValueView> parts) { return EncodeParts(parts, v.arena()); };
  EXPECT_EQ(encoded({v.S("ab")}), Bytes("ab\0\1", 4));
  EXPECT_EQ(encoded({v.S("")}), Bytes("\0\1", 2));
  EXPECT_EQ(encoded({v.B(Bytes("\0a\0", 3))}), Bytes("\0\xff"
                                                     "a\0\xff\0\1",
                                                     7));
  EXPECT_EQ(encoded({v.N("1")}), Bytes("\xc1\2\0", 3));
  EXPECT_EQ(encoded({v.N("0")}), Bytes("\x80\0", 2));
  EXPECT_EQ(encoded({v.N("-1")}), Bytes("\x3e\x64\x66", 3));
  EXPECT_EQ(encoded({v.S("a"), v.N("0"), v.S("b")}), Bytes("a\0\1\x80\0b\0\1", 8));
  EXPECT_EQ(encoded({}), "");
}

// docs/service/06-query-and-scan.md, section 7; the values are those of an independent MD5.
TEST(HashOfParts, IsTheBeginningOfTheSaltedMd5) {
  ValueBuilder v;
  const auto hash = [](std::vector<ValueView> parts) { return HashOfParts(parts); };
  EXPECT_EQ(hash({v.S("USER#1")}), 0xe1f1e9193ad9e5d5u);
  EXPECT_EQ(hash({v.B("USER#1")}), 0xe1f1e9193ad9e5d5u);
  EXPECT_EQ(hash({v.B(Bytes("\0\xff", 2))}), 0x7c24c3cc726244b2u);  // not the escaped bytes
  EXPECT_EQ(hash({v.N("1")}), 0xc3a0310aed78739bu);
  EXPECT_EQ(hash({v.N("0")}), 0xce212d751674ab5du);
  EXPECT_EQ(hash({v.N("-1.0")}), 0x0267df4c95559d50u);
  EXPECT_EQ(hash({v.S("eu"), v.N("1")}), 0xcdf1f50ac98a8a2cu);
  EXPECT_EQ(hash({v.S(std::string(2'000, 'x')), v.S("y")}), 0x23548a71e0db60d8u);
}

TEST(TablePosition, IsTheHashOfThePartitionKeyAndBothParts) {
  ValueBuilder v;
  const KeySchema schema = {{{"PK"}}, {{"SK", AttributeType::kN}}};
  const std::vector<ValueView> key = {v.S("USER#1"), v.N("1")};
  const Position expected = {0xe1f1e9193ad9e5d5u, Bytes("USER#1\0\1\xc1\2\0", 11)};
  EXPECT_EQ(TablePosition(schema, key, v.arena()), expected);
}

TEST(Position, OrdersByHashThenBytes) {
  EXPECT_LT((Position{1, "z"}), (Position{2, "a"}));
  EXPECT_LT((Position{1, "a"}), (Position{1, "ab"}));
  EXPECT_LT((Position{1, "\x7f"}), (Position{1, "\x80"}));
  EXPECT_EQ((Position{1, "a"}), (Position{1, "a"}));
}

TEST(DecodePart, TakesPartsOneAfterTheOther) {
  ValueBuilder v;
  const std::vector<ValueView> parts = {
      v.S("a"),      v.N("-12.5"), v.N("0"), v.B(Bytes("\0\0\1\xff\0", 5)), v.N("3"),
      v.N("-1e-79"),  // its first byte equals its last byte
      v.S("")};
  const std::string_view encoded = EncodeParts(parts, v.arena());
  std::size_t at = 0;
  for (const ValueView part : parts) {
    EXPECT_EQ(DecodePart(encoded, &at, part.type, v.arena()), part);
  }
  EXPECT_EQ(at, encoded.size());
}

TEST(DecodePart, PointsIntoTheEncodingWhenNothingWasEscaped) {
  ValueBuilder v;
  const std::vector<ValueView> parts = {v.S("abc")};
  const std::string_view encoded = EncodeParts(parts, v.arena());
  std::size_t at = 0;
  EXPECT_EQ(DecodePart(encoded, &at, AttributeType::kS, v.arena()).data, encoded.data());
}

// Which items belong to an index (docs/service/14-multi-attribute-keys.md, section 3; the sizes:
// docs/service/02-types-and-sizes.md, section 6).
TEST(IndexPosition, IsOfItemsThatCarryEveryPart) {
  ValueBuilder v;
  const KeySchema table = {{{"PK"}}, {{"SK"}}};
  const KeySchema index = {{{"h", AttributeType::kS}, {"b", AttributeType::kB}},
                           {{"r", AttributeType::kN}, {"s", AttributeType::kS}}};
  const auto belongs = [&](std::vector<Attribute> attributes) {
    attributes.push_back({"PK", v.S("p")});
    attributes.push_back({"SK", v.S("q")});
    const ItemRef item = v.MakeItem(table, attributes);
    const ItemView view(table, item.get());
    const bool has_position = IndexPosition(index, view, v.arena()).has_value();
    EXPECT_EQ(BelongsTo(index, view), has_position);
    return has_position;
  };
  const Attribute h = {"h", v.S("x")}, b = {"b", v.B("y")}, r = {"r", v.N("1")},
                  s = {"s", v.S("z")};
  EXPECT_TRUE(belongs({h, b, r, s}));
  EXPECT_FALSE(belongs({b, r, s}));
  EXPECT_FALSE(belongs({h, r, s}));
  EXPECT_FALSE(belongs({h, b, s}));
  EXPECT_FALSE(belongs({h, b, r}));
  EXPECT_FALSE(belongs({h, {"b", v.S("y")}, r, s}));
  EXPECT_FALSE(belongs({h, b, {"r", v.S("1")}, s}));
  EXPECT_FALSE(belongs({h, b, {"r", v.Null()}, s}));
  EXPECT_FALSE(belongs({h, b, r, {"s", v.SS({"z"})}}));
  EXPECT_FALSE(belongs({{"h", v.S("")}, b, r, s}));
  EXPECT_FALSE(belongs({h, {"b", v.B("")}, r, s}));
  EXPECT_FALSE(belongs({h, b, r, {"s", v.S("")}}));
  EXPECT_TRUE(belongs({h, b, {"r", v.N("0")}, s}));
  EXPECT_TRUE(belongs({{"h", v.S(std::string(2048, 'x'))}, b, r, s}));
  EXPECT_FALSE(belongs({{"h", v.S(std::string(2049, 'x'))}, b, r, s}));
  EXPECT_TRUE(belongs({h, {"b", v.B(std::string(2048, '\0'))}, r, s}));
  EXPECT_FALSE(belongs({h, {"b", v.B(std::string(2049, '\0'))}, r, s}));
  EXPECT_TRUE(belongs({h, b, r, {"s", v.S(std::string(1024, 'x'))}}));
  EXPECT_FALSE(belongs({h, b, r, {"s", v.S(std::string(1025, 'x'))}}));
}

TEST(IndexPosition, OfNoItemIsNone) {
  ValueBuilder v;
  const KeySchema index = {{{"h"}}, {}};
  EXPECT_EQ(IndexPosition(index, ItemView(), v.arena()), std::nullopt);
  EXPECT_FALSE(BelongsTo(index, ItemView()));
}

TEST(IndexPosition, EndsWithTheTablesHashAndKey) {
  ValueBuilder v;
  const KeySchema table = {{{"PK"}}, {{"SK"}}};
  const KeySchema inverse = {{{"SK"}}, {{"PK"}}};
  const ItemRef item = v.MakeItem(table, {{"PK", v.S("USER#1")}, {"SK", v.S("eu")}});
  const std::vector<ValueView> hash_part = {v.S("eu")};
  const Position expected = {HashOfParts(hash_part), Bytes("eu\0\1"
                                                           "USER#1\0\1"
                                                           "\xe1\xf1\xe9\x19\x3a\xd9\xe5\xd5"
                                                           "USER#1\0\1"
                                                           "eu\0\1",
                                                           32)};
  EXPECT_EQ(IndexPosition(inverse, ItemView(table, item.get()), v.arena()), expected);
  const std::vector<ValueView> key = {v.S("eu"), v.S("USER#1")};
  const Position in_table = {item->hash(), item->key()};
  EXPECT_EQ(IndexEntryPosition(inverse, key, in_table, v.arena()), expected);
}

// Keys as people read them.

const KeySchema kKey = {.hash = {{"PK", AttributeType::kS}}, .range = {{"SK", AttributeType::kS}}};

std::string Encoded(const std::string& pk, const std::string& sk) {
  Arena arena;
  const std::array<ValueView, 2> parts = {ValueView{AttributeType::kS, pk},
                                          ValueView{AttributeType::kS, sk}};
  return std::string(EncodeParts(parts, arena));
}

TEST(KeyText, NamesThePartsThatAreThere) {
  const std::string whole = Encoded("ORDERS", "ORDER#5");
  EXPECT_EQ(KeyText(kKey, whole, whole.npos), "PK=ORDERS, SK=ORDER#5");
  EXPECT_EQ(KeyText(kKey, whole.substr(0, 8), whole.npos), "PK=ORDERS");
  EXPECT_EQ(KeyText(kKey, "", whole.npos), "");
}

TEST(KeyText, CutOffTextEndsWithAnEllipsis) {
  const std::string whole = Encoded("ORDERS", "ORDER#5");
  EXPECT_EQ(KeyText(kKey, whole.substr(0, 12), 12), "PK=ORDERS, SK=ORDE…");
}

// The bytes may end inside a character.
TEST(KeyText, CutOffTextHasWholeCharacters) {
  const std::string whole = Encoded("K", "aé€😀");
  const std::string shown[] = {"…",    "a…",   "a…",   "aé…",  "aé…",   "aé…",
                               "aé€…", "aé€…", "aé€…", "aé€…", "aé€😀…"};
  const std::size_t begin = 3;  // "K" and its end
  for (std::size_t bytes = 1; bytes < 11; ++bytes) {
    EXPECT_EQ(KeyText(kKey, whole.substr(0, begin + bytes), begin + bytes),
              "PK=K, SK=" + shown[bytes])
        << bytes;
  }
}

}  // namespace
}  // namespace hashrange
