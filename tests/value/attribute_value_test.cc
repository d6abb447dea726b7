#include "value/attribute_value.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "value/value_builder.h"

namespace hashrange {
namespace {

TEST(AttributeType, TagsStandInTheServicesOrder) {
  std::string tags;
  for (int i = 0; i < kAttributeTypes; ++i) {
    tags += std::string(TypeTag(static_cast<AttributeType>(i))) + " ";
  }
  EXPECT_EQ(tags, "S N B BOOL NULL SS NS BS L M ");
  EXPECT_EQ(MemberTypeOf(AttributeType::kSS), AttributeType::kS);
  EXPECT_EQ(MemberTypeOf(AttributeType::kNS), AttributeType::kN);
  EXPECT_EQ(MemberTypeOf(AttributeType::kBS), AttributeType::kB);
}

TEST(AttributeType, KeysAndSetsAreThreeEach) {
  std::string keys, sets;
  for (int i = 0; i < kAttributeTypes; ++i) {
    const auto type = static_cast<AttributeType>(i);
    if (IsScalarKey(type)) keys += std::string(TypeTag(type)) + " ";
    if (IsSet(type)) sets += std::string(TypeTag(type)) + " ";
  }
  EXPECT_EQ(keys, "S N B ");
  EXPECT_EQ(sets, "SS NS BS ");
}

TEST(ValueView, EqualsByTypeAndBytes) {
  ValueBuilder v;
  const std::vector<ValueView> distinct = {v.S(""),
                                           v.S("1"),
                                           v.B("1"),
                                           v.N("1"),
                                           v.N("-1"),
                                           v.Bool(true),
                                           v.Bool(false),
                                           v.Null(),
                                           v.SS({"1"}),
                                           v.BS({"1"}),
                                           v.NS({"1"}),
                                           v.SS({"1", "2"}),
                                           v.L({}),
                                           v.L({v.N("1")}),
                                           v.L({v.S("1")}),
                                           v.M({}),
                                           v.M({{"a", v.N("1")}}),
                                           v.M({{"b", v.N("1")}})};
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    for (std::size_t j = 0; j < distinct.size(); ++j) {
      EXPECT_EQ(distinct[i] == distinct[j], i == j) << i << ' ' << j;
    }
  }
  EXPECT_EQ(v.N("1.0"), v.N("1"));
  EXPECT_EQ(v.SS({"b", "a"}), v.SS({"a", "b"}));
  EXPECT_EQ(v.NS({"10", "9.0"}), v.NS({"9", "10"}));
  EXPECT_EQ(v.M({{"a", v.N("1")}, {"b", v.Null()}}), v.M({{"b", v.Null()}, {"a", v.N("1e0")}}));
  EXPECT_NE(v.L({v.S("a"), v.S("b")}), v.L({v.S("b"), v.S("a")}));
}

TEST(Compare, OrdersTextsBytesAndNumbers) {
  ValueBuilder v;
  EXPECT_EQ(Compare(v.S("a"), v.S("ab")), -1);
  EXPECT_EQ(Compare(v.S("b"), v.S("ab")), 1);
  EXPECT_EQ(Compare(v.S("\x7f"), v.S("\xc2\x80")), -1);  // unsigned
  EXPECT_EQ(Compare(v.B(std::string_view("\0", 1)), v.B("")), 1);
  EXPECT_EQ(Compare(v.N("9"), v.N("10")), -1);
  EXPECT_EQ(Compare(v.N("-9"), v.N("-10")), 1);
  EXPECT_EQ(Compare(v.N("1.0"), v.N("1")), 0);
}

TEST(Readers, GiveWhatWasWritten) {
  ValueBuilder v;
  std::vector<std::string> members;
  for (SetReader r(v.SS({"pear", "", "apple"})); !r.done();) members.emplace_back(r.Next());
  EXPECT_EQ(members, (std::vector<std::string>{"", "apple", "pear"}));

  const std::string long_text(70'000, 'x');
  const std::vector<ValueView> elements = {v.S(long_text), v.N("-1.5"), v.Bool(true), v.Null(),
                                           v.B(""),        v.L({}),     v.NS({"1"})};
  std::vector<ValueView> read;
  for (ListReader r(v.L(elements)); !r.done();) read.push_back(r.Next());
  EXPECT_EQ(read, elements);

  const std::string long_name(300, 'n');
  std::string names;
  for (MapReader r(v.M({{long_name, v.S("1")}, {"a", v.S("2")}})); !r.done();) {
    const Attribute entry = r.Next();
    names += std::string(entry.name) + "=" + std::string(entry.value.bytes()) + " ";
  }
  EXPECT_EQ(names, "a=2 " + long_name + "=1 ");
}

TEST(Readers, EmptyCollectionsAreDoneAtOnce) {
  ValueBuilder v;
  EXPECT_TRUE(ListReader(v.L({})).done());
  EXPECT_TRUE(MapReader(v.M({})).done());
  EXPECT_EQ(MemberCount(v.L({})), 0u);
  EXPECT_EQ(MemberCount(v.L(std::vector<ValueView>(200, v.Null()))), 200u);
}

TEST(FindEntry, FindsEachNameAndNoOther) {
  ValueBuilder v;
  const ValueView map = v.M({{"b", v.N("1")}, {"d", v.N("2")}, {"bb", v.N("3")}});
  EXPECT_EQ(FindEntry(map, "b"), v.N("1"));
  EXPECT_EQ(FindEntry(map, "d"), v.N("2"));
  EXPECT_EQ(FindEntry(map, "bb"), v.N("3"));
  for (const std::string_view name : {"", "a", "ba", "c", "e"}) {
    EXPECT_EQ(FindEntry(map, name), std::nullopt) << name;
  }
}

TEST(FindElement, FindsByPosition) {
  ValueBuilder v;
  const ValueView list = v.L({v.S("a"), v.L({v.S("b")}), v.N("3")});
  EXPECT_EQ(FindElement(list, 0), v.S("a"));
  EXPECT_EQ(FindElement(list, 1), v.L({v.S("b")}));
  EXPECT_EQ(FindElement(list, 2), v.N("3"));
  EXPECT_EQ(FindElement(list, 3), std::nullopt);
  EXPECT_EQ(FindElement(list, ~std::uint64_t{0}), std::nullopt);
}

TEST(SetContains, ComparesMembersWhole) {
  ValueBuilder v;
  const ValueView set = v.SS({"b", "dd", "f"});
  for (const std::string_view member : {"b", "dd", "f"}) EXPECT_TRUE(SetContains(set, member));
  for (const std::string_view member : {"", "a", "d", "ddd", "g"}) {
    EXPECT_FALSE(SetContains(set, member)) << member;
  }
  EXPECT_TRUE(SetContains(v.NS({"1", "100"}), v.N("1e2").bytes()));
  EXPECT_FALSE(SetContains(v.NS({"1", "100"}), v.N("10").bytes()));
}

// docs/service/02-types-and-sizes.md, section 7.
TEST(SizeBytes, FollowsTheServicesRules) {
  ValueBuilder v;
  EXPECT_EQ(SizeBytes(v.S("")), 0u);
  EXPECT_EQ(SizeBytes(v.S("h\xc3\xa9")), 3u);
  EXPECT_EQ(SizeBytes(v.B("12345")), 5u);
  EXPECT_EQ(SizeBytes(v.Bool(false)), 1u);
  EXPECT_EQ(SizeBytes(v.Null()), 1u);
  EXPECT_EQ(SizeBytes(v.N("-42")), 3u);
  EXPECT_EQ(SizeBytes(v.SS({"a", "bcd", ""})), 4u);
  EXPECT_EQ(SizeBytes(v.BS({"a", "bc"})), 3u);
  EXPECT_EQ(SizeBytes(v.NS({"0", "123", "-42"})), 7u);
  EXPECT_EQ(SizeBytes(v.L({})), 3u);
  EXPECT_EQ(SizeBytes(v.M({})), 3u);
  EXPECT_EQ(SizeBytes(v.L({v.S("ab"), v.N("1"), v.Null()})), 3u + 3 + 2 + 2 + 1);
  EXPECT_EQ(SizeBytes(v.M({{"ab", v.S("c")}, {"d", v.L({v.Bool(true)})}})),
            3u + (1 + 2 + 1) + (1 + 1 + (3 + 1 + 1)));
}

TEST(NestingDepth, CountsTheDeepestLevel) {
  ValueBuilder v;
  EXPECT_EQ(NestingDepth(v.S("x")), 1);
  EXPECT_EQ(NestingDepth(v.SS({"x"})), 1);
  EXPECT_EQ(NestingDepth(v.L({})), 1);
  EXPECT_EQ(NestingDepth(v.M({{"a", v.N("1")}})), 2);
  EXPECT_EQ(NestingDepth(v.L({v.L({v.L({v.Null()})}), v.Null()})), 4);
  // docs/service/02-types-and-sizes.md, section 5: 31 wrappers around a scalar pass, 32 do not.
  EXPECT_EQ(NestingDepth(v.Wrapped(v.S("x"), 31)), kMaxDepth);
  EXPECT_EQ(NestingDepth(v.Wrapped(v.S("x"), 32)), kMaxDepth + 1);
  EXPECT_EQ(SizeBytes(v.Wrapped(v.S("x"), 100)), 401u);
}

}  // namespace
}  // namespace hashrange
