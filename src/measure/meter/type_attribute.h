// The attribute that says of which type an item is, when items of several types are in one table.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "value/item.h"

namespace hashrange {

// The names that such attributes usually have, the most usual first.
inline constexpr std::array<std::string_view, 16> kUsualTypeAttributes = {
    "entityType", "EntityType", "entity_type", "Type",   "type",   "_type",
    "__type",     "__typename", "_et",         "entity", "Entity", "__edb_e__",
    "itemType",   "ItemType",   "item_type",   "kind"};

// Returns false for most names that are not among them.
constexpr bool MayBeUsualType(std::string_view name) {
  constexpr std::string_view kFirst = "eETt_iIk";
  constexpr std::size_t kShortest = 3, kLongest = 11;
  return name.size() >= kShortest && name.size() <= kLongest && kFirst.find(name[0]) != kFirst.npos;
}
static_assert(std::ranges::all_of(kUsualTypeAttributes, MayBeUsualType));

struct TypeAttribute {
  std::string_view name;
  std::string_view value;
};

// Returns the item's type: the value of the attribute `given` or, when `given` is empty, of the
// first usual one that the item has as a text. None when the item has no such attribute.
inline std::optional<TypeAttribute> TypeOfItem(ItemView item, std::string_view given) {
  if (!item.exists()) return std::nullopt;
  if (!given.empty()) {
    const auto value = item.Find(given);
    if (!value || value->type != AttributeType::kS) return std::nullopt;
    return TypeAttribute{given, value->bytes()};
  }
  std::size_t best = kUsualTypeAttributes.size();
  std::string_view value;
  item.ForEach([&](const Attribute& attribute) {
    if (attribute.value.type != AttributeType::kS || !MayBeUsualType(attribute.name)) return;
    for (std::size_t i = 0; i < best; ++i) {
      if (kUsualTypeAttributes[i] != attribute.name) continue;
      best = i;
      value = attribute.value.bytes();
    }
  });
  if (best == kUsualTypeAttributes.size()) return std::nullopt;
  return TypeAttribute{kUsualTypeAttributes[best], value};
}

}  // namespace hashrange
