// Compares the ordered map with std::map: random puts and erases, with pinned maps that are
// walked later and must not have changed.
#include "engine/map/ordered_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/memory/live_memory.h"
#include "base/random.h"
#include "engine/map/map_universe.h"
#include "engine/map/ordered_map_node.h"
#include "support/items.h"

namespace hashrange::test {
namespace {

class Model {
 public:
  Model(Universe& universe, std::uint64_t seed)
      : universe_(universe), map_(universe.order()), random_(seed) {}

  int Pick() { return static_cast<int>(random_.Next() % universe_.items.size()); }
  bool Chance(unsigned percent) { return random_.Next() % 100 < percent; }
  OrderedMap& map() { return map_; }
  bool empty() const { return model_.empty(); }
  int size() const { return static_cast<int>(model_.size()); }

  void Put(int i) {
    const auto [at, is_new] = model_.emplace(universe_.positions[i], universe_.items[i].get());
    const ItemRef old = map_.Put(universe_.positions[i], universe_.items[i]);
    ASSERT_EQ(old.get(), is_new ? nullptr : at->second);
  }
  void Erase(int i) {
    const ItemRef old = map_.Erase(universe_.positions[i]);
    const bool was_there = model_.erase(universe_.positions[i]) == 1;
    ASSERT_EQ(old.get(), was_there ? universe_.items[i].get() : nullptr);
  }
  void EraseFirst() {
    ASSERT_NE(map_.Erase(model_.begin()->first), nullptr);
    model_.erase(model_.begin());
  }
  void EraseLast() {
    ASSERT_NE(map_.Erase(model_.rbegin()->first), nullptr);
    model_.erase(std::prev(model_.end()));
  }
  void Find(int i) {
    const auto found = model_.find(universe_.positions[i]);
    ASSERT_EQ(map_.Find(universe_.positions[i]), found == model_.end() ? nullptr : found->second);
  }

  void Pin() { pins_.push_back({map_.Pin(), All()}); }
  // Checks that every pinned map is as it was; releases some of them.
  void CheckPins() {
    for (const Pinned& pinned : pins_) CheckWalks(pinned);
    while (pins_.size() > 4 || (!pins_.empty() && Chance(30))) {
      std::swap(pins_[random_.Next() % pins_.size()], pins_.back());
      pins_.pop_back();
    }
  }

  void CheckIntervals(int count) {
    for (int i = 0; i < count; ++i) {
      Interval interval;
      if (!Chance(10)) interval.begin = RandomBound();
      if (!Chance(10)) interval.end = RandomBound();
      Items expected;
      for (const auto& [position, item] : model_) {
        if (position >= interval.begin && (!interval.end || position < *interval.end)) {
          expected.push_back(item);
        }
      }
      ASSERT_EQ(Walk(map_.Pin(), map_.order(), interval, true), expected);
      std::reverse(expected.begin(), expected.end());
      ASSERT_EQ(Walk(map_.Pin(), map_.order(), interval, false), expected);
    }
  }
  void Check() {
    ASSERT_EQ(map_.CheckInvariants(), "");
    CheckWalks({map_.Pin(), All()});
  }

 private:
  struct Pinned {
    MapRoot root;
    Items items;
  };

  // Checks that the map has these items in both directions.
  void CheckWalks(const Pinned& pinned) {
    ASSERT_EQ(Walk(pinned.root, map_.order(), {}, true), pinned.items);
    Items backward = Walk(pinned.root, map_.order(), {}, false);
    std::reverse(backward.begin(), backward.end());
    ASSERT_EQ(backward, pinned.items);
  }
  Items All() const {
    Items items;
    for (const auto& entry : model_) items.push_back(entry.second);
    return items;
  }
  // Returns an item's position, the beginning of a position, a hash alone, or the position right
  // above an item's.
  Position RandomBound() {
    Position position = universe_.positions[Pick()];
    switch (random_.Next() % 4) {
      case 0:
        position.bytes = position.bytes.substr(0, random_.Next() % (position.bytes.size() + 1));
        break;
      case 1:
        position.bytes = {};
        position.hash += random_.Next() % 2;
        break;
      case 2:
        position.bytes = Successor(position.bytes, universe_.maker.arena());
        break;
      default:
        break;
    }
    return position;
  }

  Universe& universe_;
  OrderedMap map_;
  std::map<Position, const Item*> model_;
  std::vector<Pinned> pins_;
  Random random_;
};

// After each test, no block of an item or a node is left, and none is freed twice.
class OrderedMapTest : public testing::Test {
 protected:
  ~OrderedMapTest() override { EXPECT_EQ(CountLiveMemory().bytes, before_.bytes); }

 private:
  const LiveMemory before_ = CountLiveMemory();
};

// Grows and shrinks the map several times, until it is empty at the end.
void Exercise(Universe& universe, std::uint64_t seed) {
  Model model(universe, seed);
  const int batch = universe.size();
  for (const unsigned put_percent : {95u, 80u, 70u, 50u, 30u, 60u, 85u, 20u, 5u, 5u}) {
    SCOPED_TRACE(put_percent);
    for (int i = 0; i < batch; ++i) {
      if (model.Chance(put_percent)) {
        model.Put(model.Pick());
      } else {
        model.Erase(model.Pick());
      }
      model.Find(model.Pick());
      if (i % (batch / 3) == 0) model.Pin();
    }
    model.Check();
    model.CheckPins();
    model.CheckIntervals(10);
    if (::testing::Test::HasFatalFailure()) return;
  }
  while (!model.empty()) {
    model.EraseFirst();
    if (!model.empty()) model.EraseLast();
    if (model.size() % 512 == 0) model.Check();
  }
  EXPECT_EQ(model.map().Pin(), nullptr);
  EXPECT_EQ(model.map().NodeBytes(), 0u);
  model.CheckPins();
}

TEST_F(OrderedMapTest, AgreesWithAModelOnDistinctPartitionKeys) {
  Universe universe(KeysOf("pk"));
  for (int i = 0; i < 12000; ++i) universe.Add({{"pk", S(Numbered("user#", i))}});
  Exercise(universe, 1);
}

TEST_F(OrderedMapTest, AgreesWithAModelOnOneItemCollection) {
  Universe universe(KeysOf("pk", "sk"));
  for (int i = 0; i < 12000; ++i) {
    universe.Add({{"pk", S("tenant")}, {"sk", S(Numbered("order#", i * 7))}});
  }
  Exercise(universe, 2);
}

TEST_F(OrderedMapTest, AgreesWithAModelOnAMixture) {
  Universe universe(KeysOf("pk", "sk"));
  Random random(3);
  for (int i = 0; i < 6000; ++i) {
    // There are a few large item collections and many small ones; some sort keys are beginnings of
    // others.
    const int pk = static_cast<int>(random.Next() % 3 == 0 ? random.Next() % 500 : i % 3);
    std::string sk = std::to_string(i);
    if (i % 5 == 0) sk += std::string(i % 40, '\0');
    universe.Add({{"pk", S(std::to_string(pk))}, {"sk", S(sk)}});
  }
  Exercise(universe, 4);
}

TEST_F(OrderedMapTest, AgreesWithAModelOnAnInverseIndex) {
  Universe universe(KeysOf("pk", "sk"));
  universe.is_index = true;
  universe.index = KeysOf("sk", "pk");
  for (int i = 0; i < 5000; ++i) {
    universe.Add({{"pk", S(Numbered("p", i))}, {"sk", S(Numbered("s", i % 20))}});
  }
  Exercise(universe, 5);
}

TEST_F(OrderedMapTest, AgreesWithAModelOnEqualIndexKeys) {
  Universe universe(KeysOf("pk", "sk"));
  universe.is_index = true;
  universe.index = KeysOf("kind");
  for (int i = 0; i < 5000; ++i) {
    universe.Add({{"pk", S(Numbered("p", i / 3))},
                  {"sk", S(std::to_string(i % 3))},
                  {"kind", S(i % 10 == 0 ? "rare" : "common")}});
  }
  Exercise(universe, 6);
}

// Every inner node of these maps is full, so a leaf that splits makes its parent split. The leaf is
// each child of the root, of the first of two inner nodes, or of the second at the right edge.
TEST_F(OrderedMapTest, AFullInnerNodeSplitsAtEachOfItsChildren) {
  for (const int inners : {1, 2}) {
    const int leaves = inners * kInnerChildren;
    ItemCollection universe(2 * leaves * kLeafSlots);
    OrderedMap full(universe.order());
    Items before;
    for (int i = 0; i < universe.size(); i += 2) {
      full.Put(universe.positions[i], universe.items[i]);
      before.push_back(universe.items[i].get());
    }
    for (int leaf = 0; leaf < leaves; ++leaf) {
      SCOPED_TRACE(leaf);
      const int added = 2 * leaf * kLeafSlots + kLeafSlots + 1;  // an odd number
      OrderedMap map(universe.order());
      map.StartFrom(full.Pin());
      map.Put(universe.positions[added], universe.items[added]);
      Items expected = before;
      expected.insert(expected.begin() + (added + 1) / 2, universe.items[added].get());
      ASSERT_EQ(map.CheckInvariants(), "");
      ASSERT_EQ(Walk(map.Pin(), map.order(), {}, true), expected);
      ASSERT_EQ(map.Find(universe.positions[added]), universe.items[added].get());
    }
    EXPECT_EQ(full.CheckInvariants(), "");
    EXPECT_EQ(Walk(full.Pin(), full.order(), {}, true), before);
  }
}

// Ranges of positions fill and drain in turn, in ascending, descending or random order. So inner
// nodes at all places split, merge, and get children from the neighbour on either side, while roots
// are pinned.
TEST_F(OrderedMapTest, AgreesWithAModelWhileRangesFillAndDrain) {
  ItemCollection universe(24000);
  Model model(universe, 14);
  std::mt19937 random(15);
  for (int i = 0; i < universe.size(); ++i) {
    if (i % 3 != 0) model.Put(i);
  }
  for (int wave = 0; wave < 60; ++wave) {
    SCOPED_TRACE(wave);
    const int size = 500 + static_cast<int>(random() % 8000);
    const int begin = static_cast<int>(random() % universe.items.size());
    std::vector<int> range;
    for (int i = begin; i < std::min(begin + size, universe.size()); ++i) range.push_back(i);
    const int order = static_cast<int>(random() % 3);
    if (order == 1) std::ranges::reverse(range);
    if (order == 2) std::ranges::shuffle(range, random);
    const bool fills = model.size() < 4000 || (model.size() < 20000 && random() % 2 == 0);
    const auto percent = static_cast<unsigned>(80 + random() % 21);
    const std::size_t pinned_at = random() % range.size();
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (i == pinned_at && wave % 2 == 0) model.Pin();
      if (!model.Chance(percent)) continue;
      fills ? model.Put(range[i]) : model.Erase(range[i]);
    }
    model.Check();
    if (wave % 6 == 5) model.CheckPins();
    if (HasFatalFailure()) return;
  }
}

TEST_F(OrderedMapTest, AscendingInsertsFillTheirNodes) {
  ItemCollection universe(20000);
  Model model(universe, 7);
  for (int i = 0; i < universe.size(); ++i) model.Put(i);
  model.Check();
  // A slot takes 16 bytes; the nodes take less than a fifth more.
  EXPECT_LT(model.map().NodeBytes(), universe.items.size() * 16 * 6 / 5);
}

TEST_F(OrderedMapTest, FullNodesAreEvenedOutAsTheirNeighboursDrain) {
  ItemCollection universe(15000);
  Model model(universe, 12);
  for (int i = 0; i < universe.size(); ++i) model.Put(i);
  for (int i = 0; !model.empty(); ++i) {
    model.EraseFirst();
    if (i % 1499 == 0) model.Pin();
    if (i % 997 == 0) model.Check();
    if (i % 2999 == 0) model.CheckPins();
  }
  EXPECT_EQ(model.map().NodeBytes(), 0u);
  model.CheckPins();
}

// One slot beyond as many full leaves as an inner node has children: the last leaf is the
// only child of its parent.
TEST_F(OrderedMapTest, TheRightEdgeMayBeThin) {
  ItemCollection universe(kLeafSlots * kInnerChildren + 3);
  Model model(universe, 13);
  for (int i = 0; i < universe.size(); ++i) model.Put(i);
  model.Pin();
  for (int i = 0; i < 5; ++i) {
    model.Check();
    model.EraseLast();
  }
  model.Check();
  for (int i = universe.size() - 5; i < universe.size(); ++i) model.Put(i);
  model.Check();
  model.CheckPins();
}

TEST_F(OrderedMapTest, AQueueFreesItsNodes) {
  ItemCollection universe(20000);
  Model model(universe, 8);
  std::size_t most = 0;
  for (int i = 0; i < universe.size(); ++i) {
    model.Put(i);
    if (model.size() > 500) model.EraseFirst();
    if (i % 997 == 0) model.Check();
    most = std::max(most, model.map().NodeBytes());
  }
  EXPECT_LT(most, 500u * 16 * 3);
}

TEST_F(OrderedMapTest, DescendingInsertsAndErasesKeepTheInvariants) {
  ItemCollection universe(20000);
  Model model(universe, 9);
  for (int i = universe.size(); i-- > 0;) model.Put(i);
  model.Check();
  for (int i = 0; i < 15000; ++i) {
    model.EraseLast();
    if (i % 997 == 0) model.Check();
  }
  model.Check();
}

TEST_F(OrderedMapTest, ReplacingAnItemReturnsTheOldItem) {
  ItemMaker maker(KeysOf("pk"));
  const ItemRef first = maker.Make({{"pk", S("a")}, {"v", S("1")}});
  const ItemRef second = maker.Make({{"pk", S("a")}, {"v", S("2")}});
  OrderedMap map({&maker.schema(), nullptr});
  const Position position = PositionOf(*first);
  EXPECT_EQ(map.Put(position, first), nullptr);
  const MapRoot pinned = map.Pin();
  EXPECT_EQ(map.Put(position, second), first);
  EXPECT_EQ(map.Find(position), second.get());
  EXPECT_EQ(Walk(pinned, map.order(), {}, true), Items{first.get()});
}

TEST_F(OrderedMapTest, SmallMapsTakeLittleMemory) {
  Universe universe(KeysOf("pk"));
  for (int i = 0; i < 4; ++i) universe.Add({{"pk", S(std::to_string(i))}});
  Model model(universe, 10);
  for (int i = 0; i < 4; ++i) model.Put(i);
  EXPECT_EQ(model.map().NodeBytes(), 24u + 4 * 16);
}

TEST_F(OrderedMapTest, TheGreatestHashIsAHashLikeAnyOther) {
  ItemCollection universe(300);
  OrderedMap map(universe.order());
  Items expected;
  for (int i = 0; i < universe.size(); ++i) {
    map.Put({~std::uint64_t{0} - (i < 100), universe.positions[i].bytes}, universe.items[i]);
    expected.push_back(universe.items[i].get());
  }
  EXPECT_EQ(Walk(map.Pin(), map.order(), {}, true), expected);
  EXPECT_EQ(map.Find({~std::uint64_t{0}, universe.positions[200].bytes}), expected[200]);
  const Interval last{{~std::uint64_t{0}, {}}, std::nullopt};
  EXPECT_EQ(Walk(map.Pin(), map.order(), last, true),
            Items(expected.begin() + 100, expected.end()));
}

// A leaf that was copied keeps its origin only as long as somebody else holds the origin too, and
// as long as the leaf borrows nearly all of the origin's items.
TEST_F(OrderedMapTest, ACopiedLeafDropsItsOrigin) {
  ItemCollection universe(kLeafSlots);
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
TEST_F(OrderedMapTest, DroppedNodesAreTheCallers) {
  ItemCollection universe(200);
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
TEST_F(OrderedMapTest, CopiesOfCopiesAreIndependent) {
  ItemCollection universe(kLeafSlots);
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
}  // namespace hashrange::test
