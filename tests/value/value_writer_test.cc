#include "value/value_writer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "value/value_builder.h"

namespace hashrange {
namespace {

TEST(ValueWriter, PacksNestedContainers) {
  ValueBuilder v;
  ValueWriter w(v.arena());
  w.BeginMap(2);
  w.Name("a");
  w.BeginList(2);
  w.Value(v.S("x"));
  w.BeginMap(0);
  w.End();
  w.End();
  w.Name("b");
  w.Value(v.N("7"));
  w.End();
  EXPECT_EQ(w.Finish(), v.M({{"a", v.L({v.S("x"), v.M({})})}, {"b", v.N("7")}}));
  // The writer may be used again, also for a value outside any container.
  w.Value(v.S("alone"));
  EXPECT_EQ(w.Finish(), v.S("alone"));
}

TEST(ValueWriter, BytesAreAsTheHeaderDescribes) {
  ValueBuilder v;
  EXPECT_EQ(v.L({v.S("a"), v.Bool(true), v.Null(), v.N("1")}).bytes(),
            std::string_view("\x04"
                             "\x00\x01"
                             "a"
                             "\x03\x01"
                             "\x04"
                             "\x01\x02\xc1\x02",
                             11));
  EXPECT_EQ(v.M({{"k", v.SS({"b", "a"})}}).bytes(), std::string_view("\x01\x01"
                                                                     "k"
                                                                     "\x05\x05\x00\x00\x00"
                                                                     "\x02\x01"
                                                                     "a"
                                                                     "\x01"
                                                                     "b",
                                                                     13));
}

TEST(ValueWriter, GrowsBeyondItsFirstBuffer) {
  ValueBuilder v;
  const std::string text(1'000, 'x');
  const std::vector<ValueView> elements(500, v.S(text));
  const ValueView list = v.L(elements);
  EXPECT_EQ(MemberCount(list), 500u);
  std::vector<ValueView> read;
  for (ListReader r(list); !r.done();) read.push_back(r.Next());
  EXPECT_EQ(read, elements);
}

TEST(ValueWriter, KeepsUpToItsLimitOfContainersOpen) {
  ValueBuilder v;
  ValueWriter w(v.arena());
  for (int i = 0; i < ValueWriter::kMaxOpen; ++i) w.BeginList(1);
  w.Value(v.Null());
  for (int i = 0; i < ValueWriter::kMaxOpen; ++i) w.End();
  EXPECT_EQ(NestingDepth(w.Finish()), ValueWriter::kMaxOpen + 1);
}

TEST(ValueWriterDeathTest, AbortsBeyondItsLimitOfOpenContainers) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  Arena arena;
  ValueWriter w(arena);
  for (int i = 0; i < ValueWriter::kMaxOpen; ++i) w.BeginList(1);
  EXPECT_DEATH(w.BeginList(1), "");
}

TEST(Varint, RoundTripsAtItsBoundaries) {
  for (const std::uint32_t value : {0u, 1u, 127u, 128u, 16'383u, 16'384u, 2'097'151u, 2'097'152u,
                                    268'435'455u, 268'435'456u, 4'294'967'295u}) {
    char bytes[8];
    const char* const end = WriteVarint(value, bytes);
    EXPECT_EQ(static_cast<std::size_t>(end - bytes), VarintBytes(value)) << value;
    const char* at = bytes;
    EXPECT_EQ(ReadVarint(at), value);
    EXPECT_EQ(at, end) << value;
  }
}

TEST(Packed, RoundTripsEveryType) {
  ValueBuilder v;
  const std::string texts[] = {"", "x", std::string(127, 'a'), std::string(128, 'b'),
                               std::string(20'000, 'c')};
  std::vector<ValueView> values = {
      v.N("0"),        v.N("-1.25"), v.Bool(false), v.Bool(true),    v.Null(),
      v.SS({"a", ""}), v.NS({"1"}),  v.BS({"z"}),   v.L({v.Null()}), v.M({{"a", v.L({})}})};
  for (const std::string& text : texts) {
    values.push_back(v.S(text));
    values.push_back(v.B(text));
  }
  for (const ValueView value : values) {
    std::string bytes(PackedBytes(value), '\0');
    EXPECT_EQ(WritePacked(value, bytes.data()), bytes.data() + bytes.size());
    const char* at = bytes.data();
    EXPECT_EQ(ReadPacked(at), value);
    EXPECT_EQ(at, bytes.data() + bytes.size());
  }
}

TEST(MakeSet, SortsAndDropsRepeats) {
  ValueBuilder v;
  const ValueView set = v.SS({"b", "", "a", "b", "a", "b"});
  EXPECT_EQ(MemberCount(set), 3u);
  EXPECT_EQ(set, v.SS({"", "a", "b"}));
  std::vector<std::string> numbers;
  for (SetReader r(v.NS({"10", "-1", "9", "0", "1.0", "1"})); !r.done();) {
    numbers.push_back(Number::FromStored(r.Next()).ToText());
  }
  EXPECT_EQ(numbers, (std::vector<std::string>{"-1", "0", "1", "9", "10"}));
}

TEST(SortAndFindDuplicate, SortsInPlaceAndReportsRepeats) {
  std::vector<std::string_view> repeated = {"b", "a", "b"};
  EXPECT_TRUE(SortAndFindDuplicate(repeated));
  EXPECT_EQ(repeated, (std::vector<std::string_view>{"a", "b", "b"}));
  std::vector<std::string_view> unique = {"b", "", "a"};
  EXPECT_FALSE(SortAndFindDuplicate(unique));
  EXPECT_EQ(unique, (std::vector<std::string_view>{"", "a", "b"}));
}

// The sizes are few and many, for the sort by insertion and the merge sort.
TEST(SortAttributes, KeepsTheLastOfEqualNames) {
  Random random(5);
  for (const std::size_t count : {0u, 1u, 2u, 3u, 10u, 31u, 32u, 33u, 100u, 1'000u}) {
    std::vector<std::string> names, texts;
    for (std::size_t i = 0; i < count; ++i) {
      names.push_back("n" + std::to_string(random.Next() % (count / 2 + 1)));
      texts.push_back(std::to_string(i));
    }
    std::map<std::string, std::string> expected;
    std::vector<Attribute> attributes;
    for (std::size_t i = 0; i < count; ++i) {
      expected[names[i]] = texts[i];
      attributes.push_back({names[i], MakeString(texts[i])});
    }
    std::vector<std::pair<std::string, std::string>> sorted;
    for (const Attribute& a : SortAttributes(attributes)) {
      sorted.emplace_back(a.name, a.value.bytes());
    }
    const std::vector<std::pair<std::string, std::string>> wanted(expected.begin(), expected.end());
    EXPECT_EQ(sorted, wanted) << count;
  }
}

}  // namespace
}  // namespace hashrange
