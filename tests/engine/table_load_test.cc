#include "engine/table_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"
#include "engine/map/map_builder.h"

namespace hashrange::test {
namespace {

void SortByPosition(std::vector<ItemRef>* items) {
  std::ranges::sort(*items, {}, [](const ItemRef& item) { return PositionOf(*item); });
}

// Returns the first broken invariant of the maps of a table and its indexes.
std::string CheckMaps(const TableVersion& table) {
  std::string problems;
  const auto check = [&](Partition& partition) {
    problems += partition.items.map.CheckInvariants();
    for (const CountedMap& local : partition.local_indexes) problems += local.map.CheckInvariants();
    if (partition.vectors) problems += partition.vectors->map.CheckInvariants();
  };
  table.table->partitions().ForEach(check);
  for (const IndexVersion& index : table.indexes) {
    if (!index.storage->is_local()) index.storage->partitions().ForEach(check);
  }
  return problems;
}

class TableLoadTest : public ::testing::Test {
 protected:
  // Returns `count` items of few and of many partition keys, of which some are in no index.
  std::vector<ItemRef> MakeItems(int count) {
    std::vector<ItemRef> items;
    Random random(7);
    for (int i = 0; i < count; ++i) {
      maker_.Reset();
      const auto number = std::to_string(i);
      std::vector<Attribute> attributes = {
          {"pk", maker_.Text(i % 3 == 0 ? "large" : number)},
          {"sk", maker_.Text(number)},
          {"filler", maker_.Text(std::string(random.Next() % 100, 'x'))}};
      if (i % 4 != 0) attributes.push_back({"kind", maker_.Text("k" + std::to_string(i % 5))});
      if (i % 7 != 0) attributes.push_back({"v", maker_.Numbers(i, i % 8 == 0 ? 39 : 40)});
      if (i % 5 != 0) attributes.push_back({"who", maker_.Text(std::to_string(random.Next()))});
      items.push_back(maker_.Make(std::move(attributes)));
    }
    SortByPosition(&items);
    return items;
  }
  std::unique_ptr<TableVersion> Definition() {
    IndexVersion by_kind = GlobalIndex("by-kind", KeysOf("kind", "who"));
    by_kind.schema.projection = ProjectionType::kKeysOnly;
    return NewTable(
        "t", KeysOf("pk", "sk"),
        {by_kind, GlobalIndex("by-who", KeysOf("who")), LocalIndex("local", KeysOf("pk", "who")),
         LocalIndex("by-filler", KeysOf("pk", "filler")), VectorIndex("vectors", 40),
         VectorIndex("by-kind-vectors", 40, "kind")});
  }
  // Returns a prepared table that `threads` threads have filled.
  TableRef Load(const std::vector<ItemRef>& items, std::unique_ptr<TableVersion> version,
                int threads) {
    const TableRef table = engine_.catalog().PrepareStored(std::move(version), 5);
    TableLoad load(table);
    OnThreads(threads, [&](int thread) {
      for (const ItemRef& item : items) {
        if (PartitionSet::NumberOf(item->hash()) % threads == thread) {
          EXPECT_TRUE(load.Add(item));
        }
      }
    });
    std::atomic<int> next{0};
    OnThreads(threads, [&](int) {
      for (int job = next++; job < load.job_count(); job = next++) load.RunJob(job);
    });
    return table;
  }
  template <typename Function>
  static void OnThreads(int count, const Function& function) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(function, i);
    for (std::thread& thread : threads) thread.join();
  }
  void ExpectContent(const TableVersion& table, const std::vector<ItemRef>& items) {
    EXPECT_EQ(RangeAll(engine_, table, nullptr), items);
    EXPECT_EQ(engine_.StatisticsOf(table, nullptr), ExpectedStatistics(table, items));
    ExpectExactIndexes(engine_, table);
    EXPECT_EQ(CheckMaps(table), "");
  }

  const ManualClock clock_{1234};
  Engine engine_{clock_};
  ItemMaker maker_{KeysOf("pk", "sk")};
};

TEST_F(TableLoadTest, ItemsAndIndexesAreAsIfTheyWereWritten) {
  for (const int count : {0, 1, 2, 64, 65, 3000}) {
    const std::vector<ItemRef> items = MakeItems(count);
    const TableRef table = Load(items, Definition(), 2);
    ExpectContent(*table, items);
  }
}

TEST_F(TableLoadTest, ALargeTableHasFullLeaves) {
  ItemMaker maker(KeysOf("pk"));
  std::vector<ItemRef> items;
  for (int i = 0; i < 150'000; ++i) {
    maker.Reset();
    items.push_back(maker.Make({{"pk", maker.Text(std::to_string(i))}}));
  }
  SortByPosition(&items);
  const TableRef table = Load(items, NewTable("t", KeysOf("pk")), 2);
  EXPECT_EQ(RangeAll(engine_, *table, nullptr), items);
  EXPECT_EQ(CheckMaps(*table), "");
  std::size_t bytes = 0;
  table->table->partitions().ForEach(
      [&](Partition& partition) { bytes += partition.items.map.NodeBytes(); });
  EXPECT_LT(bytes, items.size() * (sizeof(Slot) + 2));
}

TEST_F(TableLoadTest, ALoadedTableIsWrittenToAndErased) {
  std::vector<ItemRef> items = MakeItems(2000);
  const TableRef table = Load(items, Definition(), 1);
  ASSERT_TRUE(engine_.catalog().Exchange({}, {&table, 1}));
  std::vector<ItemRef> rest;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i % 3 == 0) {
      Erase(engine_, *table, PositionOf(*items[i]));
    } else {
      rest.push_back(items[i]);
    }
  }
  maker_.Reset();
  const ItemRef added = maker_.Make({{"pk", S("new")}, {"sk", S("x")}, {"who", S("y")}});
  Put(engine_, *table, added);
  rest.push_back(added);
  SortByPosition(&rest);
  ExpectContent(*table, rest);
}

TEST_F(TableLoadTest, ItemsInAnotherOrderAreRefused) {
  const std::vector<ItemRef> items = MakeItems(50);
  TableLoad load(engine_.catalog().PrepareStored(Definition(), 5));
  // Two items of one partition.
  const auto second = std::ranges::adjacent_find(items, [](const ItemRef& a, const ItemRef& b) {
    return PartitionSet::NumberOf(a->hash()) == PartitionSet::NumberOf(b->hash());
  });
  ASSERT_NE(second, items.end());
  EXPECT_TRUE(load.Add(second[1]));
  EXPECT_FALSE(load.Add(second[1]));
  EXPECT_FALSE(load.Add(second[0]));
}

TEST_F(TableLoadTest, AnIndexThatIsBeingFilledStaysEmpty) {
  const std::vector<ItemRef> items = MakeItems(100);
  for (int i = 0; i <= static_cast<int>(IndexPhase::kDeletingUnfilled); ++i) {
    auto version = Definition();
    version->indexes[0].phase = static_cast<IndexPhase>(i);
    const bool is_filling = version->indexes[0].is_filling();
    const TableRef table = Load(items, std::move(version), 1);
    EXPECT_EQ(RangeAll(engine_, *table, &table->indexes[0]).empty(), is_filling) << i;
    EXPECT_FALSE(RangeAll(engine_, *table, &table->indexes[1]).empty());
  }
}

TEST_F(TableLoadTest, AnUnfinishedLoadFreesItsItems) {
  const std::vector<ItemRef> items = MakeItems(300);
  {
    TableLoad load(engine_.catalog().PrepareStored(Definition(), 5));
    for (const ItemRef& item : items) EXPECT_TRUE(load.Add(item));
    load.RunJob(3);
    load.RunJob(PartitionSet::kPartitions + 3);
  }
  // The sanitizers find what is freed twice or not at all.
}

}  // namespace
}  // namespace hashrange::test
