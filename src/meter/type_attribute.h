// The attribute that says of which type an item is, when items of several types are in one table.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "value/item.h"

namespace hashrange {

// The names that such attributes usually have, the most usual first.
inline constexpr std::array<std::string_view, 16> kUsualTypeAttributes = {
    "entityType", "EntityType", "entity_type", "Type",   "type",   "_type",
    "__type",     "__typename", "_et",         "entity", "Entity", "__edb_e__",
    "itemType",   "ItemType",   "item_type",   "kind"};

struct TypeAttribute {
  std::string_view name;
  std::string_view value;
};

// Returns the item's type: the value of the attribute `given` or, when `given` is empty, of the
// first usual one that the item has as a text. None when the item has no such attribute.
inline std::optional<TypeAttribute> TypeOfItem(ItemView item, std::string_view given) {
  if (!item.exists()) return std::nullopt;
  const auto find = [&](std::string_view name) -> std::optional<TypeAttribute> {
    const auto value = item.Find(name);
    if (!value || value->type != AttributeType::kS) return std::nullopt;
    return TypeAttribute{name, value->bytes()};
  };
  if (!given.empty()) return find(given);
  for (const std::string_view name : kUsualTypeAttributes) {
    if (const auto type = find(name)) return type;
  }
  return std::nullopt;
}

}  // namespace hashrange
