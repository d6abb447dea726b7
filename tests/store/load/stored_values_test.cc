#include "store/load/stored_values.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/items.h"

namespace hashrange {
namespace {

TEST(StoredValues, CountersAreReadAgain) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{255}, UINT64_MAX}) {
    const auto read = DecodeCounter(EncodeCounter(value));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, value);
  }
  EXPECT_FALSE(DecodeCounter("1234567").ok());
  EXPECT_FALSE(DecodeCounter("").ok());
}

TEST(StoredValues, ImagesAreReadAgain) {
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

TEST(StoredValues, NoImageIsNoBytes) {
  const test::ItemMaker maker(test::KeysOf("pk"));
  StoredItemReader reader(maker.schema());
  EXPECT_EQ(EncodeImage(nullptr), "");
  const auto read = DecodeImage("", reader);
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(*read);
}

}  // namespace
}  // namespace hashrange
