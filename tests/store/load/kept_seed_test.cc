// A seed of a table that is there, on a disk that loses its power at any moment, against a model:
// a restart has all of its items or none, and loses no change that others have made meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/backfill/backfiller.h"
#include "engine/stream/stream_set.h"
#include "engine/table.h"
#include "engine/ttl/time_to_live.h"
#include "store/data_directory.h"
#include "store/data_reader.h"
#include "store/load/kept_data.h"
#include "support/items.h"
#include "support/simulated_disk.h"

namespace hashrange {
namespace {

constexpr AccountName kAccount{"123456789012", "us-east-1"};
constexpr int kKeys = 12;

using Content = std::map<std::string, std::string>;  // by key: the attribute v

// One run of a server.
class ServerRun {
 public:
  explicit ServerRun(Disk& disk) {
    auto opened = KeptData::Open({.directory = "d", .disk = &disk});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    kept_ = std::move(*opened);
    time_to_live_.emplace(engine_, 0, &kept_->durability());
    backfiller_.emplace(engine_);
    engine_.AddObserver(streams_);
    std::atomic<std::int64_t> items{0};
    const auto loaded =
        kept_->Load({engine_, streams_, *time_to_live_, *backfiller_, clock_}, items);
    EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    table_ = catalog().Find(kAccount, "t");
    if (table_) return;
    auto version = std::make_unique<TableVersion>();
    version->account_id = kAccount.account_id;
    version->region = kAccount.region;
    version->name = "t";
    version->key = test::KeysOf("pk");
    table_ = catalog().Create(std::move(version));
  }

  Catalog& catalog() { return engine_.catalog(); }
  const TableVersion& table() const { return *table_; }
  Durability& durability() { return kept_->durability(); }

  // Puts the item, or removes the one with its key.
  void Write(const ItemRef& item, bool is_removed, std::uint64_t seed = 0) {
    const auto decide = [&](ItemView) {
      return is_removed ? Decision::Erase() : Decision::Put(item);
    };
    const ItemWrite write{
        .address = {table_.get(), test::PositionOf(*item)}, .function = decide, .seed = seed};
    WriteOutcome outcome;
    Arena arena;
    ASSERT_EQ(engine_.Commit({&write, 1}, {&outcome, 1}, arena), CommitResult::kCommitted);
  }

  Content Items() {
    Content items;
    RangeReader reader = engine_.Range(*table_, nullptr, Interval(), true);
    while (const Item* item = reader.Next()) {
      const ItemView view(table_->key, item);
      items[std::string(view.Find("pk")->bytes())] = view.Find("v")->bytes();
    }
    return items;
  }

 private:
  AdjustableClock clock_;
  StreamSet streams_{clock_, {}};
  Engine engine_{clock_};
  std::unique_ptr<KeptData> kept_;
  std::optional<TimeToLive> time_to_live_;
  std::optional<Backfiller> backfiller_;
  TableRef table_;
};

// What the directory of a server that has stopped holds beside the items of its tables.
struct Rest {
  explicit Rest(Disk& disk) {
    DataDirectory::Options options;
    options.disk = &disk;
    const auto directory = DataDirectory::Open("d", options);
    EXPECT_TRUE(directory.ok()) << directory.error().message;
    const DataReader reader(**directory);
    EXPECT_TRUE(reader
                    .ForEachRecord(RecordKind::kSeed,
                                   [&](const StoreKeyParts&, std::string_view) -> Status {
                                     ++seed_records;
                                     return {};
                                   })
                    .ok());
    ids_with_items = reader.TablesWithItems().value();
  }

  int seed_records = 0;
  std::vector<std::uint64_t> ids_with_items;
};

class SeedRounds {
 public:
  explicit SeedRounds(std::uint64_t seed) : random_(seed), disk_(seed) {}

  void Go() {
    ServerRun run(disk_);
    const Content found = run.Items();
    ASSERT_THAT(may_be_, testing::Contains(found));
    may_be_ = {found};
    positions_ = {0};
    model_ = found;
    Seed(run);
    const Durability::Position safe = run.durability().safe();
    disk_.CutPower();
    // What was safe is there; of what came later, any prefix may be.
    const auto first = std::upper_bound(positions_.begin(), positions_.end(), safe);
    may_be_.erase(may_be_.begin(), may_be_.begin() + (first - positions_.begin()) - 1);
  }
  void StartAgain() { disk_.StartAgain(); }

  int whole = 0, partly_put = 0;

 private:
  std::uint64_t Below(std::uint64_t end) { return random_.Next() % end; }
  ItemRef Make(std::uint64_t key, const std::string& value) {
    return maker_.Make({{"pk", maker_.Text(std::to_string(key))}, {"v", maker_.Text(value)}});
  }

  // Keeps what a restart has if it finds all changes so far, and none that follow.
  void Note(ServerRun& run, const Content& left_of_seed) {
    Content state = model_;
    for (const auto& [key, value] : left_of_seed) state[key] = value;
    may_be_.push_back(std::move(state));
    positions_.push_back(run.durability().appended());
    // Otherwise the power is cut before much is on the disk.
    if (Below(2) == 0) {
      EXPECT_TRUE(run.durability().WaitUntilSafe(positions_.back()).ok());
    }
  }
  void WriteOfOthers(ServerRun& run, const Content& left_of_seed) {
    if (Below(3) != 0) return;
    const std::uint64_t key = Below(kKeys);
    const bool is_removed = Below(4) == 0;
    const std::string value = "other " + std::to_string(Below(3));
    run.Write(Make(key, value), is_removed);
    if (is_removed) {
      model_.erase(std::to_string(key));
    } else {
      model_[std::to_string(key)] = value;
    }
    Note(run, left_of_seed);
  }

  void Seed(ServerRun& run) {
    Content left;
    std::vector<ItemRef> items;
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      if (Below(4) == 0) continue;
      // Some of the items are stored already.
      const auto stored = model_.find(std::to_string(key));
      const bool is_same = stored != model_.end() && Below(3) == 0;
      const std::string value = is_same ? stored->second : "seeded " + std::to_string(Below(3));
      items.push_back(Make(key, value));
      left[std::to_string(key)] = value;
    }
    std::size_t given = 0;
    const PendingSeed seed = run.catalog().KeepSeed(
        run.table(), [&] { return given < items.size() ? &items[given++] : nullptr; });
    WriteOfOthers(run, {});
    if (Below(8) == 0) return;
    ASSERT_TRUE(run.catalog().Exchange({}, {}, nullptr, Keeping::kAsBefore, {&seed, 1}));
    Note(run, left);
    const std::uint64_t end = Below(2 * items.size() + 1);
    for (std::size_t i = 0; i < items.size(); ++i) {
      WriteOfOthers(run, left);
      if (i == end) {
        ++partly_put;
        return;
      }
      run.Write(items[i], false, seed.id);
      const std::string key(ItemView(run.table().key, items[i].get()).Find("pk")->bytes());
      model_[key] = left[key];
      left.erase(key);
      Note(run, left);
    }
    run.catalog().EndSeed(seed);
    ++whole;
    WriteOfOthers(run, {});
  }

  Random random_;
  test::SimulatedDisk disk_;
  test::ItemMaker maker_{test::KeysOf("pk")};
  Content model_;                   // what is in memory
  std::vector<Content> may_be_{1};  // what a restart may have
  std::vector<Durability::Position> positions_{0};
};

TEST(KeptSeed, IsThereWhollyOrNotAtAll) {
  int whole = 0, partly_put = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    SeedRounds rounds(seed);
    for (int i = 0; i < 40 && !testing::Test::HasFatalFailure(); ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(i));
      rounds.Go();
      rounds.StartAgain();
    }
    whole += rounds.whole;
    partly_put += rounds.partly_put;
  }
  EXPECT_GT(whole, 10);
  EXPECT_GT(partly_put, 10);
}

// The items that were set aside are gone once the seed has put them, also when a restart does so.
TEST(KeptSeed, NothingIsLeftOfIt) {
  test::SimulatedDisk disk(1);
  test::ItemMaker maker(test::KeysOf("pk"));
  const std::vector<ItemRef> items = {
      maker.Make({{"pk", maker.Text("1")}, {"v", maker.Text("one")}}),
      maker.Make({{"pk", maker.Text("2")}, {"v", maker.Text("two")}})};
  const Content seeded = {{"1", "one"}, {"2", "two"}};
  for (const std::size_t put_before_the_end : {2, 1, 0}) {
    SCOPED_TRACE(put_before_the_end);
    const bool is_whole = put_before_the_end == items.size();
    std::uint64_t table_id = 0;
    {
      ServerRun run(disk);
      table_id = run.table().table->id();
      for (const ItemRef& item : items) run.Write(item, true);
      std::size_t given = 0;
      const PendingSeed seed = run.catalog().KeepSeed(
          run.table(), [&] { return given < items.size() ? &items[given++] : nullptr; });
      ASSERT_TRUE(run.catalog().Exchange({}, {}, nullptr, Keeping::kAsBefore, {&seed, 1}));
      for (std::size_t i = 0; i < put_before_the_end; ++i) run.Write(items[i], false, seed.id);
      if (is_whole) run.catalog().EndSeed(seed);
    }
    EXPECT_EQ(Rest(disk).seed_records, is_whole ? 0 : 1);
    EXPECT_EQ(ServerRun(disk).Items(), seeded);
    const Rest rest(disk);
    EXPECT_EQ(rest.seed_records, 0);
    EXPECT_EQ(rest.ids_with_items, std::vector<std::uint64_t>{table_id});
  }
}

}  // namespace
}  // namespace hashrange
