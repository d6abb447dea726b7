#include "remote/copy/item_digest.h"

#include <gtest/gtest.h>

#include "base/memory/arena.h"
#include "remote/copy/segment_scan.h"

namespace hashrange {
namespace {

ItemDigest DigestOf(std::initializer_list<std::string> items) {
  ItemDigest digest;
  for (std::string item : items) {
    Arena arena;
    const auto json = ParseJson({item.data(), item.size()}, arena);
    const auto read = ReadCheckedItem(**json, arena);
    EXPECT_TRUE(read.ok()) << read.error().message;
    digest.AddItem(read->attributes);
  }
  return digest;
}

TEST(ItemDigest, TheOrderOfItemsDoesNotCount) {
  const std::string a = R"({"k":{"S":"a"},"n":{"N":"1"}})";
  const std::string b = R"({"k":{"S":"b"},"n":{"N":"2"}})";
  EXPECT_EQ(DigestOf({a, b}), DigestOf({b, a}));
  EXPECT_EQ(DigestOf({a, b}).items(), 2);
  ItemDigest sum = DigestOf({a});
  sum.Add(DigestOf({b}));
  EXPECT_EQ(sum, DigestOf({a, b}));
}

TEST(ItemDigest, EqualItemsHaveOneDigest) {
  EXPECT_EQ(
      DigestOf(
          {R"({"k":{"N":"1.0"},"s":{"SS":["b","a"]},"m":{"M":{"x":{"N":"1E2"},"y":{"NULL":true}}}})"}),
      DigestOf(
          {R"({"m":{"M":{"y":{"NULL":true},"x":{"N":"100"}}},"s":{"SS":["a","b"]},"k":{"N":"1"}})"}));
}

TEST(ItemDigest, OtherItemsHaveOthers) {
  const ItemDigest one = DigestOf({R"({"k":{"S":"a"},"n":{"N":"1"}})"});
  for (const char* other :
       {R"({"k":{"S":"a"},"n":{"S":"1"}})", R"({"k":{"S":"a"},"n":{"N":"2"}})",
        R"({"k":{"S":"a"}})", R"({"k":{"S":"a"},"m":{"N":"1"}})", R"({"kn":{"S":"a"}})"}) {
    EXPECT_NE(DigestOf({other}), one) << other;
  }
  const std::string item = R"({"k":{"S":"a"},"n":{"N":"1"}})";
  EXPECT_NE(DigestOf({item, item}), ItemDigest());
}

TEST(ItemDigest, ItsTextIsReadAgain) {
  const ItemDigest digest(3, 0x0123456789abcdef, 0xfedcba9876543210);
  EXPECT_EQ(digest.Text(), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(ParseItemDigest(3, digest.Text()), digest);
  EXPECT_EQ(ParseItemDigest(-1, digest.Text()), std::nullopt);
  EXPECT_EQ(ParseItemDigest(3, "0123456789abcdeffedcba987654321"), std::nullopt);
  EXPECT_EQ(ParseItemDigest(3, "0123456789abcdeffedcba987654321x"), std::nullopt);
}

TEST(ItemDigest, TheSumCarries) {
  ItemDigest sum(1, 0, ~std::uint64_t{0});
  sum.Add(ItemDigest(1, 0, 1));
  EXPECT_EQ(sum, ItemDigest(2, 1, 0));
}

}  // namespace
}  // namespace hashrange
