// ValueBuilder: makes attribute values in one line each, for tests.
//
//   ValueBuilder v;
//   v.M({{"a", v.N("1")}, {"b", v.L({v.S("x"), v.Null()})}})
#pragma once

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory/arena.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange {

class ValueBuilder {
 public:
  ValueView S(std::string_view text) { return {AttributeType::kS, arena_.Copy(text)}; }
  ValueView B(std::string_view bytes) { return {AttributeType::kB, arena_.Copy(bytes)}; }
  ValueView N(std::string_view text) {
    Number number;
    if (Number::Parse(text, &number) != NumberError::kNone) std::abort();
    return MakeNumber(number, arena_);
  }
  ValueView Bool(bool value) { return MakeBool(value); }
  ValueView Null() { return MakeNull(); }

  ValueView SS(std::vector<std::string_view> members) {
    return MakeSet(AttributeType::kSS, members, arena_);
  }
  ValueView BS(std::vector<std::string_view> members) {
    return MakeSet(AttributeType::kBS, members, arena_);
  }
  ValueView NS(const std::vector<std::string_view>& texts) {
    std::vector<std::string_view> members;
    for (const std::string_view text : texts) members.push_back(N(text).bytes());
    return MakeSet(AttributeType::kNS, members, arena_);
  }
  ValueView L(const std::vector<ValueView>& elements) {
    ValueWriter writer(arena_);
    writer.BeginList(static_cast<std::uint32_t>(elements.size()));
    for (const ValueView element : elements) writer.Value(element);
    writer.End();
    return writer.Finish();
  }
  ValueView M(std::vector<std::pair<std::string_view, ValueView>> entries) {
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::sort(entries.begin(), entries.end(), by_name);
    ValueWriter writer(arena_);
    writer.BeginMap(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [name, value] : entries) {
      writer.Name(name);
      writer.Value(value);
    }
    writer.End();
    return writer.Finish();
  }
  // Returns `value` inside so many lists.
  ValueView Wrapped(ValueView value, int lists) {
    for (int i = 0; i < lists; ++i) value = L({value});
    return value;
  }

  // Returns the attributes, which may be in any order, as Item::Make takes them.
  std::span<Attribute> Sorted(std::vector<Attribute> attributes) {
    return SortAttributes(arena_.Copy(std::span<const Attribute>(attributes)));
  }
  ItemRef MakeItem(const KeySchema& schema, std::vector<Attribute> attributes) {
    return Item::Make(schema, Sorted(std::move(attributes)));
  }

  Arena& arena() { return arena_; }

 private:
  Arena arena_;
};

}  // namespace hashrange
