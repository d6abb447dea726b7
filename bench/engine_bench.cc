// Measures the ordered map alone (find, insert, erase, walk), then the engine's three verbs, which
// use it. Sizes are numbers of items; "collection" is one partition key with many sort keys.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/map/ordered_map.h"
#include "value/key.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

KeySchema StringKeys() {
  KeySchema key;
  key.hash.push_back({"pk", AttributeType::kS});
  key.range.push_back({"sk", AttributeType::kS});
  return key;
}

ItemRef MakeItem(const KeySchema& schema, std::string_view pk, std::string_view sk,
                 std::int64_t count) {
  Arena arena(1 << 10);
  const Attribute attributes[] = {
      {"count", MakeNumber(Number::FromInteger(count), arena)},
      {"entity", MakeString("order")},
      {"pk", MakeString(pk)},
      {"sk", MakeString(sk)},
  };
  return Item::Make(schema, attributes);
}

enum Layout { kDistinct, kCollection };

std::vector<ItemRef> MakeItems(const KeySchema& schema, int count, Layout layout) {
  std::vector<ItemRef> items;
  items.reserve(count);
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(100'000'000 + i);
    items.push_back(layout == kDistinct ? MakeItem(schema, "customer#" + number, "profile", i)
                                        : MakeItem(schema, "tenant", "order#" + number, i));
  }
  return items;
}

void Shuffle(std::vector<ItemRef>& items, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.Next() % i]);
}

Position PositionOf(const Item& item) { return {item.hash(), item.key()}; }

// A table's items in a random order, and a map with these items. There is one for each size and
// layout during the whole run.
struct FilledMap {
  FilledMap(int count, Layout layout)
      : items(MakeItems(schema, count, layout)), map({&schema, nullptr}) {
    Shuffle(items, 1);
    for (const ItemRef& item : items) map.Put(PositionOf(*item), item);
    Shuffle(items, 2);
  }

  static FilledMap& ForArguments(const benchmark::State& state) {
    static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<FilledMap>> all;
    auto& filled = all[{state.range(0), state.range(1)}];
    if (!filled) {
      filled = std::make_unique<FilledMap>(static_cast<int>(state.range(0)),
                                           static_cast<Layout>(state.range(1)));
    }
    return *filled;
  }

  const KeySchema schema = StringKeys();
  std::vector<ItemRef> items;
  OrderedMap map;
};

// The probe is a copy of the key, as in a request, so that comparing it does not bring the item
// into the cache.
struct Probes {
  explicit Probes(const std::vector<ItemRef>& items) {
    for (const ItemRef& item : items) positions.push_back({item->hash(), arena.Copy(item->key())});
  }
  const Position& Next() { return positions[at++ % positions.size()]; }

  Arena arena;
  std::vector<Position> positions;
  std::size_t at = 0;
};

void MapFind(benchmark::State& state) {
  FilledMap& filled = FilledMap::ForArguments(state);
  Probes probes(filled.items);
  for (auto _ : state) benchmark::DoNotOptimize(filled.map.Find(probes.Next()));
  state.counters["node_bytes_per_item"] =
      static_cast<double>(filled.map.NodeBytes()) / static_cast<double>(state.range(0));
}

void MapInsert(benchmark::State& state) {
  FilledMap& filled = FilledMap::ForArguments(state);
  while (state.KeepRunningBatch(state.range(0))) {
    OrderedMap map({&filled.schema, nullptr});
    for (const ItemRef& item : filled.items) map.Put(PositionOf(*item), item);
    state.PauseTiming();
    { OrderedMap dropped(std::move(map)); }
    state.ResumeTiming();
  }
}

// Erases items and puts them back; about half of the time is spent in Erase.
void MapEraseAndInsert(benchmark::State& state) {
  FilledMap& filled = FilledMap::ForArguments(state);
  std::size_t at = 0;
  for (auto _ : state) {
    const ItemRef& item = filled.items[at++ % filled.items.size()];
    filled.map.Erase(PositionOf(*item));
    filled.map.Put(PositionOf(*item), item);
  }
}

void MapAppend(benchmark::State& state) {
  const KeySchema schema = StringKeys();
  const auto items = MakeItems(schema, static_cast<int>(state.range(0)), kCollection);
  double bytes = 0;
  while (state.KeepRunningBatch(state.range(0))) {
    OrderedMap map({&schema, nullptr});
    for (const ItemRef& item : items) map.Put(PositionOf(*item), item);
    bytes = static_cast<double>(map.NodeBytes());
  }
  state.counters["node_bytes_per_item"] = bytes / static_cast<double>(state.range(0));
}

// Writes to a map that was just pinned, so that the path to the item is copied.
void MapPutAfterPin(benchmark::State& state) {
  FilledMap& filled = FilledMap::ForArguments(state);
  std::size_t at = 0;
  for (auto _ : state) {
    const MapRoot pinned = filled.map.Pin();
    const ItemRef& item = filled.items[at++ % filled.items.size()];
    filled.map.Put(PositionOf(*item), item);
  }
}

void MapWalk(benchmark::State& state) {
  FilledMap& filled = FilledMap::ForArguments(state);
  std::uint64_t bytes = 0;
  while (state.KeepRunningBatch(state.range(0))) {
    MapCursor cursor(filled.map.Pin(), filled.map.order(), {}, true);
    while (const Item* item = cursor.Next()) bytes += item->size_bytes();
  }
  benchmark::DoNotOptimize(bytes);
}

BENCHMARK(MapFind)->ArgsProduct({{10'000, 1'000'000}, {kDistinct, kCollection}});
BENCHMARK(MapInsert)->ArgsProduct({{10'000, 1'000'000}, {kDistinct, kCollection}});
BENCHMARK(MapEraseAndInsert)->ArgsProduct({{10'000, 1'000'000}, {kDistinct, kCollection}});
BENCHMARK(MapAppend)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(MapPutAfterPin)->ArgsProduct({{10'000, 1'000'000}, {kDistinct}});
BENCHMARK(MapWalk)->ArgsProduct({{10'000, 1'000'000}, {kDistinct, kCollection}});

// A table of `count` items, with or without an inverse index.
struct FilledTable {
  FilledTable(int count, bool with_index) {
    auto version = std::make_unique<TableVersion>();
    version->name = "t";
    version->key = schema;
    if (with_index) {
      IndexVersion inverse;
      inverse.schema.name = "inverse";
      inverse.schema.key.hash = schema.range;
      inverse.schema.key.range = schema.hash;
      version->indexes.push_back(inverse);
    }
    table = engine.catalog().Create(std::move(version));
    items = MakeItems(schema, count, kDistinct);
    Shuffle(items, 3);
    for (const ItemRef& item : items) Put(item);
    // Items with the same keys and other values, put in turn with the first.
    for (int i = 0; i < count; ++i) {
      const ItemView view(schema, items[i].get());
      others.push_back(
          MakeItem(schema, view.KeyValue(0).bytes(), view.KeyValue(1).bytes(), -1 - i));
    }
  }

  void Put(const ItemRef& item) {
    const auto put = [&](ItemView) { return Decision::Put(item); };
    const ItemWrite write{{table.get(), PositionOf(*item)}, put};
    WriteOutcome outcome;
    engine.Commit({&write, 1}, {&outcome, 1}, arena);
    arena.Reset();
  }

  static FilledTable& ForArguments(const benchmark::State& state) {
    static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<FilledTable>> all;
    auto& filled = all[{state.range(0), state.range(1)}];
    if (!filled) {
      filled = std::make_unique<FilledTable>(static_cast<int>(state.range(0)), state.range(1) != 0);
    }
    return *filled;
  }

  const SystemClock clock;
  const KeySchema schema = StringKeys();
  Engine engine{clock};
  Arena arena;
  TableRef table;
  std::vector<ItemRef> items;
  std::vector<ItemRef> others;
};

void CommitPut(benchmark::State& state) {
  FilledTable& filled = FilledTable::ForArguments(state);
  std::size_t at = 0;
  for (auto _ : state) {
    const std::size_t i = at++ % (2 * filled.items.size());
    filled.Put(i < filled.items.size() ? filled.others[i] : filled.items[i - filled.items.size()]);
  }
}

void ReadOne(benchmark::State& state) {
  FilledTable& filled = FilledTable::ForArguments(state);
  Probes probes(filled.items);
  for (auto _ : state) {
    const ItemAddress address{filled.table.get(), probes.Next()};
    ItemRef item;
    filled.engine.Read({&address, 1}, {&item, 1});
    benchmark::DoNotOptimize(item.get());
  }
}

void FindTable(benchmark::State& state) {
  FilledTable& filled = FilledTable::ForArguments(state);
  for (auto _ : state) {
    const TableRef table = filled.engine.catalog().Find({"", ""}, "t");
    benchmark::DoNotOptimize(table.get());
  }
}

// A page of ten items: a Range that starts at a random item.
void RangeOfTen(benchmark::State& state) {
  FilledTable& filled = FilledTable::ForArguments(state);
  Probes probes(filled.items);
  for (auto _ : state) {
    RangeReader reader =
        filled.engine.Range(*filled.table, nullptr, {probes.Next(), std::nullopt}, true);
    for (int i = 0; i < 10; ++i) benchmark::DoNotOptimize(reader.Next());
  }
}

BENCHMARK(CommitPut)->ArgsProduct({{10'000, 1'000'000}, {0, 1}});
BENCHMARK(ReadOne)->ArgsProduct({{10'000, 1'000'000}, {0}});
BENCHMARK(FindTable)->ArgsProduct({{10'000}, {0}});
BENCHMARK(RangeOfTen)->ArgsProduct({{10'000, 1'000'000}, {0}});

}  // namespace
}  // namespace hashrange
