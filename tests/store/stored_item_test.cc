#include "store/stored_item.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/items.h"
#include "value/value_builder.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

using std::string_view_literals::operator""sv;
using test::KeysOf;

KeySchema TypedKeys(AttributeType hash, AttributeType range) {
  KeySchema key;
  key.hash.push_back({"pk", hash});
  key.range.push_back({"sk", range});
  return key;
}

class StoredItemTest : public ::testing::Test {
 protected:
  static std::string StoredForm(const Item& item) {
    std::string bytes;
    AppendStoredItem(item, &bytes);
    return bytes;
  }
  // Stores the item, reads it, and expects the same item.
  static void ExpectSame(const KeySchema& schema, const Item& item) {
    StoredItemReader reader(schema);
    const std::string stored = StoredForm(item);
    const Result<ItemRef> read = reader.Read(item.hash(), item.key(), stored);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_TRUE(ItemView(schema, read->get()).SameAttributes(ItemView(schema, &item)));
    EXPECT_EQ((*read)->key(), item.key());
    EXPECT_EQ((*read)->hash(), item.hash());
    EXPECT_EQ((*read)->size_bytes(), item.size_bytes());
    EXPECT_EQ(StoredForm(**read), stored);
  }
  // What is wrong with the value beneath the key of the item {pk: "k"}; "" if nothing is.
  std::string FaultOf(std::string_view value) { return FaultOf(hash_, "k\0\1"sv, value); }
  std::string FaultOf(std::uint64_t hash, std::string_view key, std::string_view value) {
    const Result<ItemRef> read = reader_.Read(hash, key, value);
    return read.ok() ? "" : read.error().message;
  }
  std::uint64_t HashOf(std::string_view pk) { return HashOfParts(std::vector{v_.S(pk)}); }

  ValueBuilder v_;
  const KeySchema schema_ = KeysOf("pk");
  const std::uint64_t hash_ = HashOf("k");
  StoredItemReader reader_{schema_};
};

TEST_F(StoredItemTest, EveryTypeIsReadBack) {
  const KeySchema schema = TypedKeys(AttributeType::kS, AttributeType::kN);
  ExpectSame(schema, *v_.MakeItem(schema, {{"pk", v_.S("k")}, {"sk", v_.N("-1.5")}}));
  ExpectSame(
      schema,
      *v_.MakeItem(schema, {{"pk", v_.S("grün")},
                            {"sk", v_.N("0")},
                            {"b", v_.B("\0\xff"sv)},
                            {"bool", v_.Bool(true)},
                            {"bs", v_.BS({"", "\xff"})},
                            {"empty", v_.S("")},
                            {"l", v_.L({v_.S("x"), v_.Null(), v_.L({})})},
                            {"m", v_.M({{"", v_.N("1")}, {"a", v_.M({})}, {"z", v_.Bool(false)}})},
                            {"n", v_.N("1.0000000000000000000000000000000000001E-100")},
                            {"ns", v_.NS({"-1", "0", "9E125"})},
                            {"null", v_.Null()},
                            {"ss", v_.SS({"a", "b"})}}));
}

TEST_F(StoredItemTest, KeysOfEachTypeAreReadBack) {
  for (const auto& [type, value] :
       std::vector<std::pair<AttributeType, ValueView>>{{AttributeType::kS, v_.S("a\0b\0"sv)},
                                                        {AttributeType::kS, v_.S("plain")},
                                                        {AttributeType::kB, v_.B("\0"sv)},
                                                        {AttributeType::kB, v_.B("\xff\x01"sv)},
                                                        {AttributeType::kN, v_.N("0")},
                                                        {AttributeType::kN, v_.N("-9E125")},
                                                        {AttributeType::kN, v_.N("1E-130")}}) {
    for (const ValueView other : {v_.S("x"), v_.S("\0y"sv)}) {
      const KeySchema as_range = TypedKeys(AttributeType::kS, type);
      ExpectSame(as_range, *v_.MakeItem(as_range, {{"pk", other}, {"sk", value}, {"a", value}}));
      const KeySchema as_hash = TypedKeys(type, AttributeType::kS);
      ExpectSame(as_hash, *v_.MakeItem(as_hash, {{"sk", other}, {"pk", value}, {"z", value}}));
    }
  }
}

TEST_F(StoredItemTest, ItemsWithManyAttributesAreReadBack) {
  for (const int count : {15, 16, 17, 18, 300}) {
    std::vector<Attribute> attributes = {{"pk", v_.S("k")}};
    for (int i = 0; i < count; ++i) {
      attributes.push_back({v_.S("a" + std::to_string(1000 + i)).bytes(), v_.N(std::to_string(i))});
    }
    ExpectSame(schema_, *v_.MakeItem(schema_, attributes));
  }
}

TEST_F(StoredItemTest, ItemsOfTheGreatestSizeAndDepthAreReadBack) {
  ExpectSame(schema_,
             *v_.MakeItem(schema_, {{"pk", v_.S("k")},
                                    {"a", v_.S(std::string(kMaxItemSizeBytes - 4, 'x'))}}));
  ExpectSame(schema_, *v_.MakeItem(schema_, {{"pk", v_.S("k")},
                                             {"a", v_.Wrapped(v_.Null(), kMaxValueDepth - 1)}}));
}

TEST_F(StoredItemTest, DamageIsNamed) {
  EXPECT_EQ(FaultOf("\0"sv), "");
  EXPECT_EQ(FaultOf("\1\1a\4"sv), "");
  EXPECT_EQ(FaultOf(""), "its number of attributes is damaged");
  EXPECT_EQ(FaultOf("\3\1a\4"sv), "its number of attributes is damaged");
  EXPECT_EQ(FaultOf("\x80\0"sv), "its number of attributes is damaged");
  EXPECT_EQ(FaultOf("\1\1\xff\4"sv), "the name of an attribute is damaged");
  EXPECT_EQ(FaultOf("\1\5a\4"sv), "the name of an attribute is damaged");
  EXPECT_EQ(FaultOf("\1\1a\x0a"sv), "the value of an attribute is damaged");
  EXPECT_EQ(FaultOf("\2\1a\4\1a\4"sv), "its names do not ascend");
  EXPECT_EQ(FaultOf("\2\1b\4\1a\4"sv), "its names do not ascend");
  EXPECT_EQ(FaultOf("\1\1a\4\1b\4"sv), "it is longer than its attributes");
  EXPECT_EQ(FaultOf("\1\2pk\0\1k"sv), "its key attributes are damaged");
  EXPECT_EQ(FaultOf(hash_ + 1, "k\0\1"sv, "\0"sv), "its hash is not that of its key");
  EXPECT_EQ(FaultOf(hash_, "k"sv, "\0"sv), "its key is damaged");
  EXPECT_EQ(FaultOf(hash_, "k\0"sv, "\0"sv), "its key is damaged");
  EXPECT_EQ(FaultOf(hash_, "k\0\2"sv, "\0"sv), "its key is damaged");
  EXPECT_EQ(FaultOf(hash_, "\xff\0\1"sv, "\0"sv), "its key is damaged");
  EXPECT_EQ(FaultOf(hash_, "\0\1"sv, "\0"sv), "its key is empty or too long");
  EXPECT_EQ(FaultOf(hash_, std::string(2049, 'k') + std::string("\0\1", 2), "\0"sv),
            "its key is empty or too long");
  EXPECT_EQ(FaultOf(hash_, "k\0\1x"sv, "\0"sv), "its key is longer than its parts");
  // An escaped key is among the attributes, and says the same there.
  EXPECT_EQ(FaultOf(HashOf("a\0"sv), "a\0\xff\0\1"sv, "\1\2pk\0\2a\0"sv), "");
  EXPECT_EQ(FaultOf(HashOf("a\0"sv), "a\0\xff\0\1"sv, "\1\2pk\0\2a\1"sv),
            "its key attributes are damaged");
  EXPECT_EQ(FaultOf(HashOf("a\0"sv), "a\0\xff\0\1"sv, "\0"sv), "its key attributes are damaged");
  const ItemRef large = v_.MakeItem(
      schema_, {{"pk", v_.S("k")}, {"a", v_.S(std::string(kMaxItemSizeBytes - 3, 'x'))}});
  EXPECT_EQ(FaultOf(StoredForm(*large)), "it is too large");
}

TEST_F(StoredItemTest, ValuesThatAreNotCanonicalAreRefused) {
  for (const std::string_view value : {
           "\0\x81\0x"sv,                 // a length that is longer than needed
           "\0\1\xff"sv,                  // no UTF-8
           "\0\2x"sv,                     // too short
           "\1\2\xc1\1"sv,                // a number with a digit 0
           "\1\0"sv,                      // an empty number
           "\3\2"sv,                      // a BOOL that is neither
           "\5\1\0\0\0\0"sv,              // an empty set
           "\5\5\0\0\0\2\1b\1a"sv,        // members that do not ascend
           "\5\5\0\0\0\2\1a\1a"sv,        // a member twice
           "\6\4\0\0\0\1\2\xc1\1"sv,      // a number set with a number that is none
           "\5\6\0\0\0\2\1a\1b\0"sv,      // longer than its members
           "\x08\2\0\0\0\2\4"sv,          // fewer elements than it says
           "\x08\3\0\0\0\1\4\4"sv,        // more elements than it says
           "\x08\xff\xff\xff\xff\1"sv,    // longer than the item
           "\x09\7\0\0\0\2\1b\4\1a\4"sv,  // entries that do not ascend
           "\x09\4\0\0\0\1\1\xff\4"sv,    // the name of an entry is no UTF-8
           "\x0a"sv,                      // no type
       }) {
    EXPECT_EQ(FaultOf("\1\1a" + std::string(value)), "the value of an attribute is damaged")
        << value;
  }
  const ValueView deep = v_.Wrapped(v_.Null(), kMaxValueDepth);
  std::string packed(PackedBytes(deep), '\0');
  WritePacked(deep, packed.data());
  EXPECT_EQ(FaultOf("\1\1a" + packed), "the value of an attribute is damaged");
}

// Whatever byte is damaged: the item is refused, or it is an item that can be stored again.
TEST_F(StoredItemTest, FlippedBytesGiveNoOtherForm) {
  const KeySchema schema = TypedKeys(AttributeType::kS, AttributeType::kN);
  const ItemRef item = v_.MakeItem(schema, {{"pk", v_.S("k\0"sv)},
                                            {"sk", v_.N("12.5")},
                                            {"l", v_.L({v_.S("x"), v_.N("-7")})},
                                            {"m", v_.M({{"a", v_.Bool(true)}, {"b", v_.Null()}})},
                                            {"s", v_.SS({"a", "b"})}});
  const std::string stored = StoredForm(*item);
  const std::size_t key_bytes = item->key().size();
  StoredItemReader reader(schema);
  int refused = 0;
  for (std::size_t i = 0; i < key_bytes + stored.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = std::string(item->key()) + stored;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      const std::string value = bytes.substr(key_bytes);
      const auto read = reader.Read(item->hash(), bytes.substr(0, key_bytes), value);
      refused += !read.ok();
      if (read.ok()) {
        EXPECT_EQ(StoredForm(**read), value);
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(StoredImage, IsReadAgain) {
  test::ItemMaker maker(test::KeysOf("pk", "sk"));
  const ItemRef item =
      maker.Make({{"pk", test::S("user#1")}, {"sk", test::S("order#7")}, {"n", maker.N(-3)}});
  StoredItemReader reader(maker.schema());
  const std::string bytes = EncodeImage(item.get());
  const auto read = DecodeImage(bytes, reader);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->hash(), item->hash());
  EXPECT_EQ((*read)->key(), item->key());
  EXPECT_TRUE(
      ItemView(maker.schema(), read->get()).SameAttributes(ItemView(maker.schema(), item.get())));
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeImage(bytes.substr(0, size), reader).ok()) << size;
  }
}

TEST(StoredImage, OfNothingIsNoBytes) {
  const test::ItemMaker maker(test::KeysOf("pk"));
  StoredItemReader reader(maker.schema());
  EXPECT_EQ(EncodeImage(nullptr), "");
  const auto read = DecodeImage("", reader);
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(*read);
}

}  // namespace
}  // namespace hashrange
