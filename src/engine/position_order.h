// PositionOrder: how the slots of an ordered map with equal hashes compare. A table's map
// compares the key in the item's block; an index's compares what the item's attributes
// make of the index key. A value of two pointers; the schemas outlive it.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "value/item.h"
#include "value/key.h"
#include "value/schema.h"

namespace hashrange {

struct PositionOrder {
  const KeySchema* table = nullptr;
  const KeySchema* index = nullptr;  // null: the map of the table itself

  // −1, 0, 1 (or any number of that sign): the bytes of the item's position against `bytes`.
  int Compare(const Item* item, std::string_view bytes) const {
    if (index == nullptr) return item->key().compare(bytes);
    return CompareIndexBytes(*index, ItemView(*table, item), bytes);
  }

  // The item's position in the map, which it belongs to.
  Position PositionOf(const Item* item, Arena& arena) const {
    if (index == nullptr) return {item->hash(), item->key()};
    return *IndexPosition(*index, ItemView(*table, item), arena);
  }
};

}  // namespace hashrange
