// ItemMaker: short forms for values, keys, items and positions, for tests of any folder.
//
//   ItemMaker maker(KeysOf("pk", "sk"));
//   ItemRef item = maker.Make({{"pk", S("user#1")}, {"sk", S("order#7")}, {"n", maker.N(3)}});
//   Position position = maker.At({S("user#1"), S("order#7")});
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "value/key.h"
#include "value/number.h"
#include "value/schema.h"
#include "value/value_writer.h"

namespace hashrange::test {

inline ValueView S(std::string_view text) { return MakeString(text); }

// Returns a schema of a HASH attribute and, when `range` is not empty, a RANGE attribute, both of
// type S.
inline KeySchema KeysOf(std::string hash, std::string range = "") {
  KeySchema key;
  key.hash.push_back({std::move(hash), AttributeType::kS});
  if (!range.empty()) key.range.push_back({std::move(range), AttributeType::kS});
  return key;
}

// Makes the items of one table. The views that it returns are valid until Reset.
class ItemMaker {
 public:
  explicit ItemMaker(KeySchema schema) : schema_(std::move(schema)) {}

  const KeySchema& schema() const { return schema_; }
  Arena& arena() { return arena_; }
  void Reset() { arena_.Reset(); }

  ValueView N(std::int64_t value) { return MakeNumber(Number::FromInteger(value), arena_); }
  // Returns a list of `count` numbers: `first`, `first` + 1, …
  ValueView Numbers(std::int64_t first, int count) {
    ValueWriter writer(arena_);
    writer.BeginList(static_cast<std::uint32_t>(count));
    for (int i = 0; i < count; ++i) writer.Value(N(first + i));
    writer.End();
    return writer.Finish();
  }
  // Returns a string whose text is copied into the arena.
  ValueView Text(std::string_view text) { return S(arena_.Copy(text)); }

  // Returns an item of the attributes, which may be in any order and include the key's.
  ItemRef Make(std::vector<Attribute> attributes) const {
    std::sort(attributes.begin(), attributes.end(),
              [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
    return Item::Make(schema_, attributes);
  }
  Position At(std::vector<ValueView> key) { return TablePosition(schema_, key, arena_); }

 private:
  const KeySchema schema_;
  Arena arena_;
};

inline Position PositionOf(const Item& item) { return {item.hash(), item.key()}; }

// Returns the value of a number attribute; 0 when the item has none.
inline std::int64_t IntegerOf(ItemView item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value || value->type != AttributeType::kN) return 0;
  return std::stoll(Number::FromStored(value->bytes()).ToText());
}

}  // namespace hashrange::test
