// Leaves that were copied, tested through their map: what they borrow, and which nodes are dropped.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "engine/map/map_universe.h"
#include "engine/map/ordered_map.h"
#include "engine/map/ordered_map_node.h"
#include "support/items.h"

namespace hashrange {
namespace {

using test::KeysOf;
using test::S;

// A leaf that was copied keeps its origin only as long as somebody else holds the origin too, and
// as long as the leaf borrows nearly all of the origin's items.
TEST(OrderedMapLeaf, ACopiedLeafDropsItsOrigin) {
  Universe universe(KeysOf("pk", "sk"));
  for (int i = 0; i < kLeafSlots; ++i) universe.Add({{"pk", S("x")}, {"sk", S(Numbered("s", i))}});
  OrderedMap map(universe.order());
  const auto put = [&](int i) { map.Put(universe.positions[i], universe.items[i]); };
  const int most = kLeafSlots - 1;  // the leaf has room for an insert
  for (int i = 0; i < most; ++i) put(i);
  const std::size_t leaf_bytes = map.NodeBytes();
  MapRoot pinned;
  // The write is to an item that the leaf borrows, to an item that it owns, or of a new item.
  for (const int next : {9, 0, most}) {
    pinned = map.Pin();
    put(0);
    EXPECT_EQ(map.NodeBytes(), 2 * leaf_bytes) << next;
    pinned = nullptr;
    put(next);
    EXPECT_EQ(map.NodeBytes(), leaf_bytes) << next;
    EXPECT_EQ(map.CheckInvariants(), "");
  }

  pinned = map.Pin();
  for (int i = 0; i < kMaxUnborrowed; ++i) {
    put(i);
    EXPECT_EQ(map.NodeBytes(), 2 * leaf_bytes) << i;
  }
  map.Erase(universe.positions[most]);
  EXPECT_EQ(map.NodeBytes(), leaf_bytes);
  EXPECT_EQ(map.CheckInvariants(), "");
  EXPECT_EQ(Walk(pinned, map.order(), {}, true).size(), std::size_t{kLeafSlots});
}

// Nodes that a map drops are given to the caller, who frees them when nothing is locked.
TEST(OrderedMapLeaf, DroppedNodesAreTheCallers) {
  Universe universe(KeysOf("pk", "sk"));
  for (int i = 0; i < 200; ++i) universe.Add({{"pk", S("x")}, {"sk", S(Numbered("s", i))}});
  OrderedMap map(universe.order());
  for (int i = 0; i < 200; ++i) map.Put(universe.positions[i], universe.items[i]);
  DroppedNodes dropped;
  map.Put(universe.positions[0], universe.items[0], &dropped);
  EXPECT_TRUE(dropped.empty());
  MapRoot pinned = map.Pin();
  map.Put(universe.positions[0], universe.items[0], &dropped);
  EXPECT_EQ(dropped.size(), 2u);  // the root and a leaf
  EXPECT_EQ(dropped[0].get(), pinned.get());
  pinned = nullptr;
  dropped.clear();
  map.Put(universe.positions[1], universe.items[1], &dropped);
  ASSERT_EQ(dropped.size(), 1u);  // the leaf's origin, with the one item it does not borrow
  EXPECT_EQ(dropped[0]->count, 2);
  EXPECT_EQ(map.CheckInvariants(), "");
}

// A copy of a copy borrows from the first leaf; each copy stays intact when others are freed.
TEST(OrderedMapLeaf, CopiesOfCopiesAreIndependent) {
  Universe universe(KeysOf("pk", "sk"));
  for (int i = 0; i < kLeafSlots; ++i) universe.Add({{"pk", S("x")}, {"sk", S(Numbered("s", i))}});
  std::vector<std::unique_ptr<OrderedMap>> maps;
  std::vector<Items> expected;
  maps.push_back(std::make_unique<OrderedMap>(universe.order()));
  expected.emplace_back();
  for (int i = 0; i < kLeafSlots; ++i) {
    maps[0]->Put(universe.positions[i], universe.items[i]);
    expected[0].push_back(universe.items[i].get());
  }
  for (int i = 1; i < 10; ++i) {
    maps.push_back(std::make_unique<OrderedMap>(universe.order()));
    maps[i]->StartFrom(maps[i - 1]->Pin());
    expected.push_back(expected[i - 1]);
    maps[i]->Erase(universe.positions[5 * i]);
    std::erase(expected[i], universe.items[5 * i].get());
    maps[i]->Put(universe.positions[5 * i + 1], universe.items[5 * i + 1]);
    EXPECT_EQ(maps[i]->CheckInvariants(), "");
  }
  for (const int gone : {0, 9, 4, 3, 5}) maps[gone] = nullptr;
  for (int i = 0; i < 10; ++i) {
    if (!maps[i]) continue;
    EXPECT_EQ(maps[i]->CheckInvariants(), "");
    EXPECT_EQ(Walk(maps[i]->Pin(), universe.order(), {}, true), expected[i]) << i;
    maps[i]->Put(universe.positions[2], universe.items[2]);
    EXPECT_EQ(maps[i]->CheckInvariants(), "");
    EXPECT_EQ(Walk(maps[i]->Pin(), universe.order(), {}, true), expected[i]) << i;
  }
}

}  // namespace
}  // namespace hashrange
