#include "engine/map/reclaimer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/map/ordered_map.h"
#include "platform/memory.h"
#include "support/items.h"

namespace hashrange::test {
namespace {

class ReclaimerTest : public testing::Test {
 protected:
  // Puts `count` items into one partition.
  Partition& Fill(PartitionSet& partitions, int count) {
    if (!partitions.Find(0)) partitions.Publish(0, std::make_unique<Partition>(order()));
    Partition& partition = *partitions.Find(0);
    for (int i = 0; i < count; ++i) {
      ItemRef item = maker_.Make({{"pk", S(std::to_string(i))}});
      const Position position = order().PositionOf(item.get(), maker_.arena());
      partition.items.map.Put(position, std::move(item));
      ++partition.items.item_count;
    }
    return partition;
  }
  PositionOrder order() const { return {&maker_.schema(), nullptr}; }

  ItemMaker maker_{KeySchema{{{"pk", AttributeType::kS}}, {}}};
};

TEST_F(ReclaimerTest, TakesWhatIsLargeAndLeavesTheRest) {
  PartitionSet small, large;
  const Partition& few = Fill(small, 100);
  const Partition& many = Fill(large, 6000);
  Reclaimer reclaimer;
  reclaimer.Free(small);
  reclaimer.Free(large);
  EXPECT_NE(few.items.map.Pin().get(), nullptr);
  EXPECT_EQ(many.items.map.Pin().get(), nullptr);
}

TEST_F(ReclaimerTest, WhatIsSharedIsLittleToFree) {
  PartitionSet original, fork;
  Partition& items = Fill(original, 6000);
  fork.Publish(0, std::make_unique<Partition>(order()))->items.map.StartFrom(items.items.map.Pin());
  EXPECT_EQ(CountToFree(fork, 100), 1);
  const ItemRef item = maker_.Make({{"pk", S("7")}});
  fork.Find(0)->items.map.Put(order().PositionOf(item.get(), maker_.arena()), item);
  EXPECT_GT(CountToFree(fork, 1000), 1);
  EXPECT_LT(CountToFree(fork, 1000), 200);  // a root and a leaf
}

TEST_F(ReclaimerTest, ALargeItemCountsAsItsPages) {
  PartitionSet partitions;
  Partition& partition = Fill(partitions, 1);
  const ItemRef large = maker_.Make({{"pk", S("x")}, {"text", S(std::string(400'000, 'x'))}});
  partition.items.map.Put(order().PositionOf(large.get(), maker_.arena()), large);
  EXPECT_EQ(CountToFree(partitions, 1000), 2 + 400'000 / 4096);
}

TEST_F(ReclaimerTest, WhatIsPinnedStays) {
  PartitionSet partitions;
  Partition& partition = Fill(partitions, 6000);
  const MapRoot pinned = partition.items.map.Pin();
  Fill(partitions, 6000);  // unshares the map
  {
    Reclaimer reclaimer;
    reclaimer.Free(partitions);
    EXPECT_EQ(partition.items.map.Pin().get(), nullptr);
  }
  MapCursor cursor(pinned, order(), {Position{}, std::nullopt}, true);
  int count = 0;
  while (cursor.Next()) ++count;
  EXPECT_EQ(count, 6000);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
// Sanitizers have allocators of their own, which keep memory.

std::int64_t ResidentBytes() {
  std::int64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * 4096;
}

TEST_F(ReclaimerTest, MemoryGoesBackToTheSystem) {
  constexpr int kPieces = 100'000;
  constexpr std::size_t kPieceBytes = 500;
  // Between the pieces stand others that stay, so that the allocator gives nothing back by itself.
  auto garbage = std::make_shared<std::vector<std::string>>();
  std::vector<std::string> kept;
  ReturnFreeMemory();  // what other tests have left
  const std::int64_t before = ResidentBytes();
  for (int i = 0; i < kPieces; ++i) {
    garbage->emplace_back(kPieceBytes, 'x');
    if (i % 100 == 0) kept.emplace_back(kPieceBytes, 'y');
  }
  const std::int64_t full = ResidentBytes();
  ASSERT_GT(full - before, kPieces * static_cast<std::int64_t>(kPieceBytes));
  Reclaimer reclaimer;
  reclaimer.Discard(std::move(garbage));
  const auto is_back = [&] { return ResidentBytes() - before < (full - before) / 4; };
  for (int i = 0; i < 600 && !is_back(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(is_back()) << before << " " << full << " " << ResidentBytes();
}
#endif

}  // namespace
}  // namespace hashrange::test
