// The property that everything else relies on: the byte order of encoded keys is
// DynamoDB's order of values.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "value/key.h"
#include "value/number_model.h"
#include "value/value_builder.h"

namespace hashrange {
namespace {

// Returns every text of up to `length` characters of an alphabet that is hard for the encoding.
std::vector<std::string> TemptingTexts(std::size_t length) {
  static constexpr char kAlphabet[] = {'\0', '\x01', 'a', '\xfe', '\xff'};
  std::vector<std::string> texts = {""};
  for (std::size_t begin = 0, l = 0; l < length; ++l) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const char c : kAlphabet) texts.push_back(texts[begin] + c);
    }
  }
  return texts;
}

std::vector<ValueView> RandomNumbers(ValueBuilder& v, Random& random, int count) {
  std::vector<ValueView> numbers = {v.N("0"),      v.N("1e-130"), v.N("-1e-130"), v.N("1e125"),
                                    v.N("-1e125"), v.N("1"),      v.N("-1"),      v.N("1.01"),
                                    v.N("-1.01"),  v.N("1.0001"), v.N("-1.0001")};
  while (count-- > 0) numbers.push_back(v.N(Spell(RandomModel(random), random)));
  return numbers;
}

int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

std::string_view Encoded(ValueBuilder& v, const std::vector<ValueView>& parts) {
  return EncodeParts(parts, v.arena());
}

TEST(KeyOrder, OfOnePartIsTheOrderOfItsValues) {
  ValueBuilder v;
  Random random(31);
  std::vector<std::vector<ValueView>> kinds(2);
  for (const std::string& text : TemptingTexts(3)) {
    kinds[0].push_back(v.B(text));
  }
  kinds[1] = RandomNumbers(v, random, 200);
  for (const std::vector<ValueView>& values : kinds) {
    std::vector<std::string_view> encoded;
    for (const ValueView value : values) encoded.push_back(Encoded(v, {value}));
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        ASSERT_EQ(Sign(encoded[i].compare(encoded[j])), Compare(values[i], values[j]));
      }
    }
  }
}

// Four parts of mixed types compare as tuples, whatever their lengths.
TEST(KeyOrder, OfSeveralPartsIsTheOrderOfTuples) {
  ValueBuilder v;
  Random random(32);
  const std::vector<std::string> texts = TemptingTexts(2);
  const std::vector<ValueView> numbers = RandomNumbers(v, random, 5);
  const auto any_text = [&] { return v.S(texts[Below(random, texts.size())]); };
  const auto any_number = [&] { return numbers[Below(random, numbers.size())]; };
  std::vector<std::vector<ValueView>> tuples;
  std::vector<std::string_view> encoded;
  for (int i = 0; i < 600; ++i) {
    tuples.push_back({any_number(), any_text(), any_number(), any_text()});
    encoded.push_back(Encoded(v, tuples.back()));
  }
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    for (std::size_t j = 0; j < tuples.size(); ++j) {
      int order = 0;
      for (std::size_t k = 0; k < 4 && order == 0; ++k) order = Compare(tuples[i][k], tuples[j][k]);
      ASSERT_EQ(Sign(encoded[i].compare(encoded[j])), order);
    }
  }
}

// begins_with is the interval [EncodePrefix, PrefixEnd of EncodePrefix), with or without more
// parts behind; the empty prefix includes all keys that share the parts before.
TEST(KeyOrder, PrefixesAreIntervals) {
  ValueBuilder v;
  const std::string_view base = Encoded(v, {v.S("h")});
  const std::string_view other_base = Encoded(v, {v.S("h\x01")});
  const std::vector<std::string> texts = TemptingTexts(3);
  const std::vector<std::string> prefixes = TemptingTexts(2);
  for (const std::string& prefix : prefixes) {
    const std::string_view begin = EncodePrefix(base, prefix, v.arena());
    const std::string_view end = PrefixEnd(begin, v.arena());
    for (const std::string& text : texts) {
      const bool starts = text.compare(0, prefix.size(), prefix) == 0;
      const std::string key = std::string(base) + std::string(Encoded(v, {v.B(text)}));
      ASSERT_EQ(begin <= key && key < end, starts);
      const std::string longer = key + "\xff\xff\xff";
      ASSERT_EQ(begin <= longer && longer < end, starts);
      const std::string elsewhere = std::string(other_base) + std::string(Encoded(v, {v.B(text)}));
      ASSERT_FALSE(begin <= elsewhere && elsewhere < end);
    }
  }
}

// PrefixEnd of a whole part is above every key with an equal part, whatever is behind the part,
// and at most equal to every key with a greater part.
TEST(KeyOrder, PrefixEndOfAWholePartIsAboveItsEqualsOnly) {
  ValueBuilder v;
  Random random(33);
  std::vector<std::vector<ValueView>> kinds(2);
  for (const std::string& text : TemptingTexts(2)) kinds[0].push_back(v.B(text));
  kinds[1] = RandomNumbers(v, random, 60);
  for (const std::vector<ValueView>& values : kinds) {
    for (const ValueView value : values) {
      const std::string_view end = PrefixEnd(Encoded(v, {value}), v.arena());
      for (const ValueView other : values) {
        const std::string position = std::string(Encoded(v, {other})) + "\xff\xff";
        ASSERT_EQ(position < end, Compare(other, value) <= 0);
      }
    }
  }
}

TEST(KeyOrder, SuccessorIsTheNextByteString) {
  ValueBuilder v;
  const std::vector<std::string> texts = TemptingTexts(3);
  for (const std::string& text : TemptingTexts(2)) {
    const std::string_view next = Successor(text, v.arena());
    for (const std::string& other : texts) ASSERT_EQ(other > text, other >= next);
  }
}

TEST(KeyOrder, EveryPartDecodes) {
  ValueBuilder v;
  Random random(34);
  std::vector<ValueView> values = RandomNumbers(v, random, 300);
  for (const std::string& text : TemptingTexts(3)) values.push_back(v.S(text));
  for (const ValueView value : values) {
    for (const std::string_view behind : {"", "\xff", "\x01", "\x66"}) {
      const std::string_view part = Encoded(v, {value});
      const std::string encoded = std::string(part) + std::string(behind);
      std::size_t at = 0;
      ASSERT_EQ(DecodePart(encoded, &at, value.type, v.arena()), value);
      ASSERT_EQ(at, part.size());
    }
  }
}

// CompareIndexBytes of an item gives the same as comparing the bytes of its position.
TEST(KeyOrder, MembersOfAnIndexCompareAsTheirPositions) {
  ValueBuilder v;
  Random random(35);
  const KeySchema table = {{{"PK"}}, {{"SK", AttributeType::kN}}};
  // The index key has a text that may be escaped, a number, and a key attribute of the table.
  const KeySchema index = {{{"a", AttributeType::kB}}, {{"SK", AttributeType::kN}, {"PK"}}};
  const std::vector<std::string> texts = TemptingTexts(2);
  const auto any_text = [&](std::size_t from) {
    return texts[from + Below(random, texts.size() - from)];
  };
  std::vector<ItemRef> items;
  std::vector<std::string_view> probes = {"", "\xff"};
  for (int i = 0; i < 150; ++i) {
    items.push_back(v.MakeItem(table, {{"PK", v.S(any_text(1))},
                                       {"SK", v.N(std::to_string(Below(random, 3) - 1))},
                                       {"a", v.B(any_text(1))}}));
    const ItemView view(table, items.back().get());
    const std::string_view bytes = IndexPosition(index, view, v.arena())->bytes;
    probes.push_back(bytes);
    probes.push_back(bytes.substr(0, Below(random, bytes.size() + 1)));
    probes.push_back(Successor(bytes, v.arena()));
    probes.push_back(PrefixEnd(bytes.substr(0, 4), v.arena()));
  }
  for (const ItemRef& item : items) {
    const ItemView view(table, item.get());
    const std::string_view bytes = IndexPosition(index, view, v.arena())->bytes;
    for (const std::string_view probe : probes) {
      ASSERT_EQ(CompareIndexBytes(index, view, probe), Sign(bytes.compare(probe)));
    }
  }
}

}  // namespace
}  // namespace hashrange
