// Universe: the items and positions that tests put into an ordered map; Walk: the items that a walk
// through a map gives.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/map/ordered_map.h"
#include "support/items.h"

namespace hashrange {

using Items = std::vector<const Item*>;

inline std::string Numbered(const char* prefix, int i) {
  std::string digits = std::to_string(i);
  return prefix + std::string(6 - digits.size(), '0') + digits;
}

// Items with their positions in the map of a table or, with `is_index`, of an index.
struct Universe {
  explicit Universe(KeySchema table) : maker(std::move(table)) {}

  void Add(std::vector<Attribute> attributes) {
    items.push_back(maker.Make(std::move(attributes)));
    positions.push_back(order().PositionOf(items.back().get(), maker.arena()));
  }
  PositionOrder order() const { return {&maker.schema(), is_index ? &index : nullptr}; }
  int size() const { return static_cast<int>(items.size()); }

  test::ItemMaker maker;
  KeySchema index;
  bool is_index = false;
  std::vector<ItemRef> items;
  std::vector<Position> positions;
};

// Items of one item collection, in the order of their positions.
struct ItemCollection : Universe {
  explicit ItemCollection(int count) : Universe(test::KeysOf("pk", "sk")) {
    for (int i = 0; i < count; ++i) {
      Add({{"pk", test::S("log")}, {"sk", test::S(Numbered("t", i))}});
    }
  }
};

// Returns the items that a walk gives.
inline Items Walk(MapRoot root, const PositionOrder& order, const Interval& interval,
                  bool forward) {
  Items items;
  MapCursor cursor(std::move(root), order, interval, forward);
  while (const Item* item = cursor.Next()) items.push_back(item);
  EXPECT_EQ(cursor.Next(), nullptr);
  return items;
}

}  // namespace hashrange
