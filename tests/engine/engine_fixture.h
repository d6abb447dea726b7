// Tables, and calls of the engine, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/table.h"
#include "support/items.h"

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

// Checks that every index of the table has exactly the entries of the table's items.
inline void ExpectExactIndexes(const Engine& engine, const TableVersion& table) {
  const std::vector<ItemRef> items = RangeAll(engine, table, nullptr);
  for (const IndexVersion& index : table.indexes) {
    SCOPED_TRACE(index.schema.name);
    TableStatistics statistics;
    EXPECT_EQ(RangeAll(engine, table, &index), ExpectedEntries(table, index, items, &statistics));
    EXPECT_EQ(engine.StatisticsOf(table, &index), statistics);
  }
}

}  // namespace hashrange::test
