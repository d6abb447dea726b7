#include "value/item.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "value/key.h"
#include "value/value_builder.h"

namespace hashrange {
namespace {

const KeySchema kHashOnly = {{{"PK", AttributeType::kS}}, {}};
const KeySchema kTextKeys = {{{"PK", AttributeType::kS}}, {{"SK", AttributeType::kS}}};
const KeySchema kMixedKeys = {{{"id", AttributeType::kN}}, {{"at", AttributeType::kB}}};

using Contents = std::vector<std::pair<std::string, ValueView>>;

Contents ContentsOf(std::span<const Attribute> attributes) {
  Contents contents;
  for (const Attribute& a : attributes) contents.emplace_back(a.name, a.value);
  return contents;
}

// Checks everything that a view says about an item made of `attributes`.
void ExpectReadsBack(const KeySchema& schema, std::vector<Attribute> attributes) {
  ValueBuilder v;
  const std::span<const Attribute> sorted = v.Sorted(attributes);
  const ItemRef item = Item::Make(schema, sorted);
  const ItemView view(schema, item.get());
  EXPECT_TRUE(view.exists());
  EXPECT_EQ(view.attribute_count(), sorted.size());
  EXPECT_EQ(view.size_bytes(), ItemSizeBytes(sorted));
  EXPECT_EQ(ContentsOf(view.Attributes(v.arena())), ContentsOf(sorted));

  Contents in_order;
  for (std::size_t i = 0; i < schema.parts(); ++i) {
    const std::string& name = schema.part(i).name;
    in_order.emplace_back(name, view.KeyValue(i));
    EXPECT_EQ(view.Find(name), view.KeyValue(i));
  }
  std::vector<ValueView> key;
  for (const auto& [name, value] : in_order) key.push_back(value);
  const Position position = TablePosition(schema, key, v.arena());
  EXPECT_EQ(item->key(), position.bytes);
  EXPECT_EQ(item->hash(), position.hash);

  for (const Attribute& a : sorted) {
    EXPECT_EQ(view.Find(a.name), a.value) << a.name;
    if (!schema.Find(a.name)) in_order.emplace_back(a.name, a.value);
    // Names that are close to an attribute's are not found, unless the item has them.
    std::string near(a.name);
    near.back() = static_cast<char>(near.back() + 1);
    for (const std::string& absent : {near, std::string(a.name) + '\0', near.substr(1)}) {
      const bool is_there = std::any_of(sorted.begin(), sorted.end(),
                                        [&](const Attribute& b) { return b.name == absent; });
      if (!is_there) {
        EXPECT_EQ(view.Find(absent), std::nullopt) << absent;
      }
    }
  }
  EXPECT_EQ(view.Find(""), std::nullopt);
  EXPECT_EQ(view.Find("\xff\xff"), std::nullopt);
  Contents visited;
  view.ForEach([&](const Attribute& a) { visited.emplace_back(a.name, a.value); });
  EXPECT_EQ(visited, in_order);
}

TEST(Item, ReadsBackWithAnyNumberOfAttributes) {
  ValueBuilder v;
  for (int others = 0; others <= 40; ++others) {
    SCOPED_TRACE(others);
    std::vector<Attribute> attributes = {{"PK", v.S("USER#1")}, {"SK", v.S("PROFILE")}};
    for (int i = 0; i < others; ++i) {
      // Some names are before the keys' names, some between, some behind; many share a beginning.
      static constexpr std::string_view kBeginnings[] = {"GSI", "PZ", "attribute", "Q"};
      const std::string name =
          std::string(kBeginnings[i % 4]) + std::to_string(i / 4) + std::string(i % 3, 'x');
      attributes.push_back({v.arena().Copy(std::string_view(name)), v.N(std::to_string(i * 7))});
    }
    ExpectReadsBack(kTextKeys, attributes);
  }
}

// A key that contains a zero byte is stored twice; the offset table counts it.
TEST(Item, ReadsBackWithEscapedKeys) {
  ValueBuilder v;
  const ValueView plain = v.S("a");
  const ValueView escaped = v.S(std::string_view("a\0b\0", 4));
  for (const ValueView pk : {plain, escaped}) {
    for (const ValueView sk : {plain, escaped}) {
      for (int others = 12; others <= 18; ++others) {
        std::vector<Attribute> attributes = {{"PK", pk}, {"SK", sk}};
        for (int i = 0; i < others; ++i) {
          const std::string name = (i % 2 ? "A" : "Z") + std::to_string(i);
          attributes.push_back({v.arena().Copy(std::string_view(name)), v.Null()});
        }
        ExpectReadsBack(kTextKeys, attributes);
      }
    }
  }
}

TEST(Item, ReadsBackWithKeysOfEveryType) {
  ValueBuilder v;
  for (const std::string_view id : {"0", "1", "-1", "-1e-79", "1e125", "12.5"}) {
    for (const std::string_view at :
         {std::string_view("x"), std::string_view("\0", 1), std::string_view("\xff\0\1", 3)}) {
      ExpectReadsBack(kMixedKeys, {{"id", v.N(id)}, {"at", v.B(at)}, {"z", v.Bool(true)}});
    }
  }
  ExpectReadsBack(kHashOnly, {{"PK", v.S("x")}});
  ExpectReadsBack(kHashOnly, {{"PK", v.S(std::string_view("\0", 1))}, {"A", v.Null()}});
}

TEST(Item, ReadsBackTheLongestKeysAndLongNames) {
  ValueBuilder v;
  ExpectReadsBack(kTextKeys, {{"PK", v.S(std::string(2048, '\0'))},
                              {"SK", v.S(std::string(1024, '\0'))},
                              {"text", v.S(std::string(300'000, 'x'))}});
  const std::string long_name(65'535, 'n');
  ExpectReadsBack(kTextKeys, {{"PK", v.S(std::string(2048, 'p'))},
                              {"SK", v.S(std::string(1024, 's'))},
                              {long_name, v.L({v.N("1"), v.M({{"k", v.NS({"1", "2"})}})})}});
}

// docs/service/02-types-and-sizes.md, section 7: names and values count, for the key as for every
// other attribute.
TEST(Item, CountsNamesAndValues) {
  ValueBuilder v;
  const ItemRef item = v.MakeItem(
      kTextKeys, {{"PK", v.S(std::string_view("a\0", 2))}, {"SK", v.S("bc")}, {"n", v.N("-42")}});
  EXPECT_EQ(item->size_bytes(), 2u + 2 + 2 + 2 + 1 + 3);
}

TEST(Item, IsFreedWithItsLastReference) {
  ValueBuilder v;
  ItemRef item = v.MakeItem(kHashOnly, {{"PK", v.S("x")}});
  ItemRef other = item;
  EXPECT_EQ(item, other);
  item = nullptr;
  EXPECT_EQ(ItemView(kHashOnly, other.get()).Find("PK"), v.S("x"));
}

TEST(ItemView, OfNothingHasNothing) {
  Arena arena;
  const ItemView none;
  EXPECT_FALSE(none.exists());
  EXPECT_EQ(none.Find("PK"), std::nullopt);
  EXPECT_EQ(none.attribute_count(), 0u);
  EXPECT_EQ(none.size_bytes(), 0u);
  EXPECT_TRUE(none.Attributes(arena).empty());
  none.ForEach([](const Attribute&) { FAIL(); });
}

TEST(ItemView, SameAttributesComparesEveryOne) {
  ValueBuilder v;
  const ItemRef base = v.MakeItem(kTextKeys, {{"PK", v.S("a")}, {"SK", v.S("b")}, {"x", v.N("1")}});
  const auto same = [&](std::vector<Attribute> attributes) {
    const ItemRef other = v.MakeItem(kTextKeys, attributes);
    return ItemView(kTextKeys, base.get()).SameAttributes(ItemView(kTextKeys, other.get()));
  };
  EXPECT_TRUE(same({{"x", v.N("1.0")}, {"SK", v.S("b")}, {"PK", v.S("a")}}));
  EXPECT_FALSE(same({{"PK", v.S("a")}, {"SK", v.S("b")}}));
  EXPECT_FALSE(same({{"PK", v.S("a")}, {"SK", v.S("c")}, {"x", v.N("1")}}));
  EXPECT_FALSE(same({{"PK", v.S("a")}, {"SK", v.S("b")}, {"x", v.N("2")}}));
  EXPECT_FALSE(same({{"PK", v.S("a")}, {"SK", v.S("b")}, {"y", v.N("1")}}));
  EXPECT_FALSE(same({{"PK", v.S("a")}, {"SK", v.S("b")}, {"x", v.S("ab")}}));
}

}  // namespace
}  // namespace hashrange
