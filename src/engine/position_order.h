// PositionOrder: the order of the slots of an ordered map that have the same hash. A table's map
// compares the keys in the items' blocks; an index's map compares index keys, made from the
// attributes of the items. A value of two pointers; the schemas outlive it.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "value/item.h"
#include "value/key.h"
#include "value/schema.h"

namespace hashrange {

struct PositionOrder {
  const KeySchema* table = nullptr;
  const KeySchema* index = nullptr;  // null: this is the order of the table's own map

  // Compares the bytes of the item's position with `bytes`. Returns a negative number, 0 or a
  // positive number.
  int Compare(const Item* item, std::string_view bytes) const {
    if (index == nullptr) return item->key().compare(bytes);
    return CompareIndexBytes(*index, ItemView(*table, item), bytes);
  }

  // The most bytes that a position takes.
  std::size_t max_position_bytes() const {
    return index ? MaxIndexPositionBytes(index->parts()) : kMaxPositionBytes;
  }

  // Returns the position in the map of an item that belongs to the map.
  Position PositionOf(const Item* item, Arena& arena) const {
    if (index == nullptr) return {item->hash(), item->key()};
    return *IndexPosition(*index, ItemView(*table, item), arena);
  }
};

}  // namespace hashrange
