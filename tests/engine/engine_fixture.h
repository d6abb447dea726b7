// Tables, and calls of the engine, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/table.h"
#include "support/items.h"
#include "value/vector.h"

namespace hashrange {

inline bool operator==(const TableStatistics& a, const TableStatistics& b) {
  return a.item_count == b.item_count && a.size_bytes == b.size_bytes;
}

}  // namespace hashrange

namespace hashrange::test {

inline constexpr AccountName kAccount{"123456789012", "us-east-1"};

inline IndexVersion GlobalIndex(std::string name, KeySchema key) {
  IndexVersion index;
  index.schema.name = std::move(name);
  index.schema.key = std::move(key);
  return index;
}

inline IndexVersion LocalIndex(std::string name, KeySchema key) {
  IndexVersion index = GlobalIndex(std::move(name), std::move(key));
  index.schema.is_local = true;
  return index;
}

// Returns an index of the vectors in the attribute "v", by the attribute `hash` or, if that is
// empty, without a HASH element.
inline IndexVersion VectorIndex(std::string name, int dimensions, const std::string& hash = "") {
  IndexVersion index = GlobalIndex(std::move(name), {});
  if (!hash.empty()) index.schema.key = KeysOf(hash);
  index.schema.projection = ProjectionType::kKeysOnly;
  index.schema.vector = VectorSchema{"v", dimensions, DistanceFunction::kEuclidean, {}, 0};
  return index;
}

// Returns a table whose log is read.
inline std::unique_ptr<TableVersion> NewTable(std::string name, KeySchema key,
                                              std::vector<IndexVersion> indexes = {},
                                              AccountName account = kAccount) {
  auto version = std::make_unique<TableVersion>();
  version->account_id = account.account_id;
  version->region = account.region;
  version->name = std::move(name);
  version->key = std::move(key);
  version->indexes = std::move(indexes);
  version->settings.stream = {.enabled = true, .view_type = "KEYS_ONLY"};
  return version;
}

// Publishes the version that `change` makes of `current`. Returns it, or null when `current` is no
// longer the published version.
template <typename Change>
TableRef PublishChange(Catalog& catalog, const TableRef& current, const Change& change) {
  auto next = std::make_unique<TableVersion>(*current);
  change(next.get());
  return catalog.Publish(current, std::move(next));
}

// A commit of one write.
struct SingleCommit {
  CommitResult result;
  WriteOutcome outcome;
};

template <typename Function>
SingleCommit CommitOne(Engine& engine, const TableVersion& table, const Position& position,
                       const Function& function) {
  Arena arena(4 << 10);
  SingleCommit commit;
  const ItemWrite write{{&table, position}, function};
  commit.result = engine.Commit({&write, 1}, {&commit.outcome, 1}, arena);
  return commit;
}

inline SingleCommit Put(Engine& engine, const TableVersion& table, const ItemRef& item) {
  return CommitOne(engine, table, PositionOf(*item), [&](ItemView) { return Decision::Put(item); });
}

inline SingleCommit Erase(Engine& engine, const TableVersion& table, const Position& position) {
  return CommitOne(engine, table, position, [](ItemView) { return Decision::Erase(); });
}

inline ItemRef ReadOne(const Engine& engine, const TableVersion& table, const Position& position) {
  const ItemAddress address{&table, position};
  ItemRef item;
  engine.Read({&address, 1}, {&item, 1});
  return item;
}

inline std::vector<ItemRef> RangeAll(const Engine& engine, const TableVersion& table,
                                     const IndexVersion* index, const Interval& interval = {},
                                     bool forward = true) {
  std::vector<ItemRef> items;
  RangeReader reader = engine.Range(table, index, interval, forward);
  while (const Item* item = reader.Next()) items.push_back(ItemRef::Share(item));
  return items;
}

// Returns the entries, in order, that an index should have by the items of its table; sets
// `*statistics` to their number and size.
inline std::vector<ItemRef> ExpectedEntries(const TableVersion& table, const IndexVersion& index,
                                            const std::vector<ItemRef>& items,
                                            TableStatistics* statistics) {
  Arena arena;
  std::vector<std::pair<Position, ItemRef>> entries;
  *statistics = {};
  for (const ItemRef& item : items) {
    const ItemView view(table.key, item.get());
    const auto position = IndexPosition(index.schema.key, view, arena);
    if (!position) continue;
    entries.emplace_back(*position, item);
    ++statistics->item_count;
    statistics->size_bytes += static_cast<std::int64_t>(ProjectedSizeBytes(index.schema, view));
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ItemRef> expected;
  for (auto& entry : entries) expected.push_back(std::move(entry.second));
  return expected;
}

// The rows of a vector index: the floats of each item.
using Rows =
    std::map<ItemRef, std::vector<float>,
             decltype([](const ItemRef& a, const ItemRef& b) { return a.get() < b.get(); })>;

inline Rows RowsOf(VectorReader reader, int dimensions) {
  Rows found;
  std::vector<std::int8_t> coarse(RowStride(dimensions));
  for (VectorRows rows; reader.Next(&rows);) {
    for (std::size_t i = 0; i < rows.block.count; ++i) {
      const float* const row = rows.block.rows + i * RowStride(dimensions);
      EXPECT_EQ(rows.block.measures[i], MakeCoarse(row, dimensions, coarse.data()));
      EXPECT_EQ(std::memcmp(rows.block.coarse + i * coarse.size(), coarse.data(), coarse.size()),
                0);
      const bool is_new =
          found.emplace(ItemRef::Share(rows.items[i]), std::vector<float>(row, row + dimensions))
              .second;
      EXPECT_TRUE(is_new);
    }
  }
  return found;
}

// Checks that a vector index has exactly the rows of these items, each in its group.
inline void ExpectExactVectors(const Engine& engine, const TableVersion& table,
                               const IndexVersion& index, const std::vector<ItemRef>& items) {
  std::map<std::uint64_t, Rows> groups;
  TableStatistics statistics;
  for (const ItemRef& item : items) {
    const ItemView view(table.key, item.get());
    if (!HasVectorEntry(index.schema, view)) continue;
    std::vector<float> floats(static_cast<std::size_t>(index.schema.vector->dimensions));
    ReadVector(*view.Find(index.schema.vector->attribute), floats);
    groups[IndexHash(index.schema.key, view)].emplace(item, std::move(floats));
    ++statistics.item_count;
    statistics.size_bytes += static_cast<std::int64_t>(ProjectedSizeBytes(index.schema, view));
  }
  EXPECT_EQ(engine.StatisticsOf(table, &index), statistics);
  for (const auto& [group, rows] : groups) {
    EXPECT_EQ(RowsOf(engine.Range(index, group), index.schema.vector->dimensions), rows);
  }
  index.storage->partitions().ForEach(
      [](const Partition& partition) { EXPECT_EQ(partition.vectors->map.CheckInvariants(), ""); });
}

// Returns the statistics of a table with these items. Vectors that have entries count 4 bytes for
// each dimension.
inline TableStatistics ExpectedStatistics(const TableVersion& table,
                                          const std::vector<ItemRef>& items) {
  TableStatistics statistics;
  for (const ItemRef& item : items) {
    ++statistics.item_count;
    statistics.size_bytes += item->size_bytes();
    const ItemView view(table.key, item.get());
    for (const IndexVersion& index : table.indexes) {
      if (!index.schema.vector || !HasVectorEntry(index.schema, view)) continue;
      const VectorSchema& vector = *index.schema.vector;
      statistics.size_bytes += 4 * vector.dimensions;
      statistics.size_bytes -= static_cast<std::int64_t>(SizeBytes(*view.Find(vector.attribute)));
      break;
    }
  }
  return statistics;
}

// Checks that every index of the table has exactly the entries of the table's items.
inline void ExpectExactIndexes(const Engine& engine, const TableVersion& table) {
  const std::vector<ItemRef> items = RangeAll(engine, table, nullptr);
  for (const IndexVersion& index : table.indexes) {
    SCOPED_TRACE(index.schema.name);
    if (index.schema.vector) {
      ExpectExactVectors(engine, table, index, items);
      continue;
    }
    TableStatistics statistics;
    EXPECT_EQ(RangeAll(engine, table, &index), ExpectedEntries(table, index, items, &statistics));
    EXPECT_EQ(engine.StatisticsOf(table, &index), statistics);
  }
}

}  // namespace hashrange::test
