// An index that is being filled: a commit that keeps an item adds its entry, and is not logged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine_fixture.h"

namespace hashrange {
namespace {

using test::CommitOne;
using test::ExpectedEntries;
using test::GlobalIndex;
using test::ItemMaker;
using test::KeysOf;
using test::NewTable;
using test::PositionOf;
using test::Put;
using test::RangeAll;
using test::S;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Counter : public ChangeObserver {
 public:
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    count += changes.size();
  }
  std::atomic<std::size_t> count{0};
};

class IndexBackfillTest : public ::testing::Test {
 protected:
  ItemRef Make(ItemMaker& maker, int i, int round) {
    return maker.Make({{"pk", maker.Text(std::to_string(i))},
                       {"kind", maker.Text("k" + std::to_string(round % 3))}});
  }
  TableRef AddIndex(const TableRef& table) {
    auto next = std::make_unique<TableVersion>(*table);
    next->indexes.push_back(GlobalIndex("kind", KeysOf("kind")));
    next->indexes.back().phase = IndexPhase::kAllocating;
    return engine_.catalog().Publish(table, std::move(next));
  }
  void Backfill(const TableVersion& table) {
    for (const ItemRef& item : RangeAll(engine_, table, nullptr)) {
      CommitOne(engine_, table, PositionOf(*item), [](ItemView) { return Decision::Keep(); });
    }
  }
  void ExpectExact(const TableVersion& table) {
    TableStatistics statistics;
    const auto expected =
        ExpectedEntries(table, table.indexes[0], RangeAll(engine_, table, nullptr), &statistics);
    EXPECT_EQ(RangeAll(engine_, table, &table.indexes[0]), expected);
    EXPECT_EQ(engine_.StatisticsOf(table, &table.indexes[0]), statistics);
  }

  const ManualClock clock_{0};
  Engine engine_{clock_};
  ItemMaker maker_{KeysOf("pk")};
  TableRef table_ = engine_.catalog().Create(NewTable("t", KeysOf("pk")));
};

TEST_F(IndexBackfillTest, WritesAndKeepsEnterAnIndexThatFills) {
  const ItemRef a = Make(maker_, 1, 0);
  const ItemRef b = Make(maker_, 2, 0);
  const ItemRef c = Make(maker_, 3, 0);
  for (const ItemRef& item : {a, b, c}) Put(engine_, *table_, item);
  const TableRef filling = AddIndex(table_);
  const IndexVersion* index = &filling->indexes[0];
  EXPECT_THAT(RangeAll(engine_, *filling, index), IsEmpty());

  Counter counter;
  engine_.AddObserver(counter);
  Put(engine_, *filling, Make(maker_, 1, 0));  // the stored item is equal
  EXPECT_THAT(RangeAll(engine_, *filling, index), ElementsAre(a));
  EXPECT_EQ(counter.count, 0u);
  const ItemRef moved = Make(maker_, 2, 1);  // the index has no entry of the old item
  Put(engine_, *filling, moved);
  test::Erase(engine_, *filling, PositionOf(*c));
  EXPECT_EQ(engine_.StatisticsOf(*filling, index).item_count, 2);
  EXPECT_EQ(counter.count, 2u);
  Backfill(*filling);
  EXPECT_EQ(counter.count, 2u);
  ExpectExact(*filling);
}

TEST_F(IndexBackfillTest, ABackfillAmongWritersEndsExact) {
  constexpr int kItems = 300;
  for (int i = 0; i < kItems; ++i) Put(engine_, *table_, Make(maker_, i, 0));
  const TableRef filling = AddIndex(table_);
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([&, w] {
      ItemMaker maker(KeysOf("pk"));
      for (int round = 1; round < 1500; ++round) {
        const ItemRef item = Make(maker, (round * 7 + w) % kItems, round);
        if (round % 5 == 0) {
          test::Erase(engine_, *filling, PositionOf(*item));
        } else {
          Put(engine_, *filling, item);
        }
      }
    });
  }
  Backfill(*filling);
  for (std::thread& writer : writers) writer.join();
  ExpectExact(*filling);
}

}  // namespace
}  // namespace hashrange
