// Compares the map of vectors with std::map: random puts and erases in a few groups, with hashes
// that begin alike or are the same, and with pinned maps and groups that are read later and must
// not have changed.
#include "engine/map/vector_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/memory/live_memory.h"
#include "base/random.h"
#include "support/items.h"

namespace hashrange::test {
namespace {

// The rows of a group: the floats of each item. Or the rows of all groups, by the items' keys.
using Group = std::map<const Item*, std::vector<float>>;

Group Read(VectorRoot root, int dimensions) {
  Group group;
  VectorReader reader(std::move(root));
  for (VectorRows rows; reader.Next(&rows);) {
    EXPECT_GT(rows.block.count, 0u);
    for (std::size_t i = 0; i < rows.block.count; ++i) {
      const float* const row = rows.block.rows + i * RowStride(dimensions);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row) % 64, 0u);
      EXPECT_TRUE(std::all_of(row + dimensions, row + RowStride(dimensions),
                              [](float padding) { return padding == 0; }));
      EXPECT_TRUE(group.emplace(rows.items[i], std::vector<float>(row, row + dimensions)).second);
    }
  }
  return group;
}

// Each key is in one of the groups, and has two items, so that the item of a row can be exchanged.
class VectorModel {
 public:
  VectorModel(int dimensions, std::uint64_t seed)
      : dimensions_(dimensions), map_(dimensions), random_(seed) {
    for (int key = 0; key < kKeys; ++key) {
      for (const char* text : {"a", "b"}) {
        items_.push_back(
            maker_.Make({{"pk", maker_.Text(std::to_string(key))}, {"text", S(text)}}));
      }
    }
  }

  void Put() {
    const int key = Below(kKeys);
    const ItemRef item = items_[static_cast<std::size_t>(2 * key + Below(2))];
    std::vector<float> floats(RowStride(dimensions_), 0.0f);
    for (int i = 0; i < dimensions_; ++i) {
      floats[static_cast<std::size_t>(i)] = static_cast<float>(Below(2001)) - 1000;
    }
    const bool keeps_floats = Below(4) == 0;
    const auto there = model_.find(key);
    DroppedVectorNodes dropped;
    const ItemRef old =
        map_.Put(AddressOf(key), item, keeps_floats ? nullptr : floats.data(), &dropped);
    ASSERT_EQ(old, there == model_.end() ? nullptr : there->second.item);
    floats.resize(static_cast<std::size_t>(dimensions_));
    if (!keeps_floats) {
      model_[key] = {item, floats};
    } else if (there != model_.end()) {
      there->second.item = item;
    }
  }
  void Erase() {
    int key = Below(kKeys);
    // An erasure usually hits a row.
    const auto next = model_.lower_bound(key);
    if (next != model_.end() && Below(10) != 0) key = next->first;
    const auto there = model_.find(key);
    DroppedVectorNodes dropped;
    const ItemRef old = map_.Erase(AddressOf(key), &dropped);
    ASSERT_EQ(old, there == model_.end() ? nullptr : there->second.item);
    if (there != model_.end()) model_.erase(there);
  }
  void Pin() {
    if (Below(2) == 0) {
      pins_.push_back({map_.Pin(), All()});
    } else {
      const int group = Below(kGroups);
      pins_.push_back({map_.PinGroup(HashOfGroup(group)), RowsOf(group)});
    }
  }
  // Checks the map and all pins; releases some of these.
  void Check() {
    ASSERT_EQ(map_.CheckInvariants(), "");
    for (int group = 0; group < kGroups; ++group) {
      ASSERT_EQ(Read(map_.PinGroup(HashOfGroup(group)), dimensions_), RowsOf(group));
    }
    ASSERT_EQ(map_.PinGroup(12345), nullptr);
    for (const Pinned& pin : pins_) ASSERT_EQ(Read(pin.root, dimensions_), pin.rows);
    while (pins_.size() > 3 || (!pins_.empty() && Below(3) == 0)) {
      std::swap(pins_[static_cast<std::size_t>(Below(static_cast<int>(pins_.size())))],
                pins_.back());
      pins_.pop_back();
    }
  }

  int Below(int n) { return static_cast<int>(random_.Next() % static_cast<std::uint64_t>(n)); }
  bool empty() const { return model_.empty(); }
  VectorMap& map() { return map_; }

 private:
  static constexpr int kKeys = 1500, kGroups = 5;
  struct Row {
    ItemRef item;
    std::vector<float> floats;
  };
  struct Pinned {
    VectorRoot root;
    Group rows;
  };

  // The hashes of the first two groups differ in their last bit.
  static std::uint64_t HashOfGroup(int group) {
    const auto number = static_cast<std::uint64_t>(group);
    return group < 2 ? ~number : number << 61;
  }
  // Most rows have hashes of their own, some have hashes that begin alike, and some have the same.
  static std::uint64_t HashOfRow(int key) {
    const int kind = key / kGroups % 10;
    if (kind == 0) return 7;
    if (kind == 1) return 0xffff'ffff'ffff'0000 + static_cast<std::uint64_t>(key);
    return RowHash(std::to_string(key));
  }
  RowAddress AddressOf(int key) const {
    return {HashOfGroup(key % kGroups), HashOfRow(key),
            items_[static_cast<std::size_t>(2 * key)]->key()};
  }
  Group RowsOf(int group) const {
    Group rows;
    for (const auto& [key, row] : model_) {
      if (key % kGroups == group) rows.emplace(row.item.get(), row.floats);
    }
    return rows;
  }
  Group All() const {
    Group all;
    for (const auto& [key, row] : model_) all.emplace(row.item.get(), row.floats);
    return all;
  }

  const int dimensions_;
  ItemMaker maker_{KeysOf("pk")};
  std::vector<ItemRef> items_;
  VectorMap map_;
  std::map<int, Row> model_;
  std::vector<Pinned> pins_;
  Random random_;
};

class VectorMapTest : public testing::TestWithParam<int> {};

TEST_P(VectorMapTest, RandomWritesAgreeWithAPlainMap) {
  const std::int64_t before = CountLiveMemory().of(MemoryPart::kVectors);
  {
    VectorModel model(GetParam(), 3);
    for (int batch = 0; batch < 60; ++batch) {
      // The map grows and shrinks in turns.
      const int erased = batch / 10 % 2 == 0 ? 2 : 8;
      for (int i = 0; i < 200 && !HasFatalFailure(); ++i) {
        if (model.Below(10) < erased) {
          model.Erase();
        } else {
          model.Put();
        }
        if (model.Below(60) == 0) model.Pin();
      }
      if (!HasFatalFailure()) model.Check();
      if (HasFatalFailure()) FAIL() << "batch " << batch;
    }
    while (!model.empty() && !HasFatalFailure()) model.Erase();
    model.Check();
    EXPECT_EQ(model.map().Pin(), nullptr);
  }
  EXPECT_EQ(CountLiveMemory().of(MemoryPart::kVectors), before);
}

// One float, a few rows in a chunk, and so many dimensions that a chunk has three rows.
INSTANTIATE_TEST_SUITE_P(Dimensions, VectorMapTest, testing::Values(1, 700, 4096));

TEST(VectorMap, ChunksAreFullEnoughAndAtMost64KB) {
  constexpr int kDimensions = 256, kRows = 20'000;
  VectorMap map(kDimensions);
  ItemMaker maker(KeysOf("pk"));
  const std::vector<float> floats(RowStride(kDimensions), 1.0f);
  for (int i = 0; i < kRows; ++i) {
    maker.Reset();
    const ItemRef item = maker.Make({{"pk", maker.Text(std::to_string(i))}});
    DroppedVectorNodes dropped;
    map.Put({1, RowHash(item->key()), item->key()}, item, floats.data(), &dropped);
  }
  int chunks = 0, rows_seen = 0;
  EXPECT_GT(map.CountToFree(1'000'000), kRows);
  VectorReader reader(map.PinGroup(1));
  for (VectorRows rows; reader.Next(&rows); ++chunks) {
    rows_seen += static_cast<int>(rows.block.count);
    EXPECT_LE(rows.block.count * RowStride(kDimensions) * (sizeof(float) + 1), kMaxChunkBytes);
  }
  EXPECT_EQ(rows_seen, kRows);
  // A chunk has room for 50 rows.
  EXPECT_GT(rows_seen / chunks, 50 / 2);
}

}  // namespace
}  // namespace hashrange::test
