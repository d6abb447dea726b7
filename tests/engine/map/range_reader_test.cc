#include "engine/map/range_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/engine_fixture.h"

namespace hashrange::test {
namespace {

using ::testing::IsEmpty;

class RangeReaderTest : public ::testing::Test {
 protected:
  RangeReaderTest() {
    for (int i = 0; i < 400; ++i) {
      items_.push_back(
          maker_.Make({{"pk", S(std::to_string(i % 80))}, {"sk", S(std::to_string(i))}}));
      Put(engine_, *table_, items_.back());
    }
    std::sort(items_.begin(), items_.end(),
              [](const ItemRef& a, const ItemRef& b) { return PositionOf(*a) < PositionOf(*b); });
  }
  std::vector<ItemRef> Between(const Interval& interval) {
    std::vector<ItemRef> items;
    for (const ItemRef& item : items_) {
      const Position position = PositionOf(*item);
      if (position < interval.begin || (interval.end && position >= *interval.end)) continue;
      items.push_back(item);
    }
    return items;
  }

  const ManualClock clock_{0};
  Engine engine_{clock_};
  ItemMaker maker_{KeysOf("pk", "sk")};
  TableRef table_ = engine_.catalog().Create(NewTable("t", KeysOf("pk", "sk")));
  std::vector<ItemRef> items_;
};

TEST_F(RangeReaderTest, WalksAllPartitionsInOrderBothWays) {
  EXPECT_EQ(RangeAll(engine_, *table_, nullptr), items_);
  std::reverse(items_.begin(), items_.end());
  EXPECT_EQ(RangeAll(engine_, *table_, nullptr, {}, false), items_);
}

TEST_F(RangeReaderTest, WalksTheSegmentsOfAScan) {
  // The bounds are at, above and below those of partitions.
  const std::uint64_t partition = std::uint64_t{1} << 60;
  for (const std::uint64_t begin : {std::uint64_t{0}, partition, 3 * partition - 1, 3 * partition,
                                    15 * partition, ~std::uint64_t{0}}) {
    for (const std::uint64_t end : {std::uint64_t{0}, partition, partition + 1, 5 * partition,
                                    15 * partition, ~std::uint64_t{0}}) {
      SCOPED_TRACE(begin);
      SCOPED_TRACE(end);
      const Interval interval{{begin, {}}, Position{end, {}}};
      std::vector<ItemRef> expected = Between(interval);
      EXPECT_EQ(RangeAll(engine_, *table_, nullptr, interval, true), expected);
      std::reverse(expected.begin(), expected.end());
      EXPECT_EQ(RangeAll(engine_, *table_, nullptr, interval, false), expected);
    }
  }
}

TEST_F(RangeReaderTest, StartsAnywhere) {
  for (std::size_t i = 0; i < items_.size(); i += 7) {
    const Interval from{PositionOf(*items_[i]), std::nullopt};
    EXPECT_EQ(RangeAll(engine_, *table_, nullptr, from), Between(from));
    const Interval below{{}, PositionOf(*items_[i])};
    std::vector<ItemRef> expected = Between(below);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(RangeAll(engine_, *table_, nullptr, below, false), expected);
  }
}

TEST_F(RangeReaderTest, ABackwardIntervalIsEmpty) {
  const Interval interval{PositionOf(*items_[9]), PositionOf(*items_[3])};
  EXPECT_THAT(RangeAll(engine_, *table_, nullptr, interval, true), IsEmpty());
  EXPECT_THAT(RangeAll(engine_, *table_, nullptr, interval, false), IsEmpty());
}

TEST_F(RangeReaderTest, APartitionIsReadAsItWasWhenTheWalkReachedIt) {
  RangeReader reader = engine_.Range(*table_, nullptr, {}, true);
  std::vector<ItemRef> seen = {ItemRef::Share(reader.Next())};
  const int first = PartitionSet::NumberOf(items_[0]->hash());
  for (const ItemRef& item : items_) Erase(engine_, *table_, PositionOf(*item));
  while (const Item* item = reader.Next()) seen.push_back(ItemRef::Share(item));
  std::vector<ItemRef> expected;
  for (const ItemRef& item : items_) {
    if (PartitionSet::NumberOf(item->hash()) == first) expected.push_back(item);
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(reader.Next(), nullptr);
}

}  // namespace
}  // namespace hashrange::test
