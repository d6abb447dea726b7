// The records of a table, applied to an empty map, give the table: 100,000 random writes of many
// threads, with transactions, are read while they are made. Also a test for ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/stream/stream_fixture.h"

namespace hashrange::test {
namespace {

constexpr int kThreads = 8;
constexpr int kWrites = 100'000 / kThreads;
constexpr int kKeys = 500;

// The items that a replay has made so far, by key; null: the item was deleted.
using Replay = std::map<std::string, ItemRef, std::less<>>;

class StreamReplayTest : public ::testing::TestWithParam<int> {
 protected:
  StreamReplayTest() {
    engine_.AddObserver(streams_);
    stream_ = streams_.Open(kAccount, MakeDefinition("app", StreamView::kNewAndOldImages));
    table_ = engine_.catalog().Create(StreamedTable("app", stream_));
  }

  // Makes random puts, deletions and transactions of three puts.
  void Write(std::uint64_t seed) {
    Random random(seed);
    ItemMaker maker(KeysOf("pk"));
    Arena scratch;
    for (int i = 0; i < kWrites; ++i) {
      maker.Reset();
      scratch.Reset();
      const int members = random.Next() % 10 == 0 ? 3 : 1;
      WriteMembers(random, maker, members, scratch);
    }
  }

  void WriteMembers(Random& random, ItemMaker& maker, int members, Arena& scratch) {
    std::vector<ItemRef> items;
    const std::uint64_t first = random.Next() % kKeys;
    for (int i = 0; i < members; ++i) {
      const std::uint64_t key = (first + static_cast<std::uint64_t>(i)) % kKeys;
      items.push_back(maker.Make({{"pk", maker.Text("key#" + std::to_string(key))},
                                  {"n", maker.N(static_cast<std::int64_t>(random.Next() % 3))}}));
    }
    const bool erases = members == 1 && random.Next() % 4 == 0;
    // The function is called once for each write, in order.
    std::size_t next = 0;
    const auto decide = [&](ItemView) {
      return erases ? Decision::Erase() : Decision::Put(items[next++]);
    };
    std::vector<ItemWrite> writes;
    for (const ItemRef& item : items) {
      writes.push_back({{table_.get(), PositionOf(*item)}, decide});
    }
    std::vector<WriteOutcome> outcomes(writes.size());
    ASSERT_EQ(engine_.Commit(writes, outcomes, scratch), CommitResult::kCommitted);
  }

  // Reads a shard until `done` is true and no record is left. Checks that each record continues
  // from the record before it with the same key.
  void Follow(std::size_t shard, const std::atomic<bool>& done, Replay* replay) {
    std::uint64_t position = Shard::kFirstNumber;
    for (;;) {
      const bool was_done = done;
      const ShardPage page = stream_->shard(shard).Read(position, 1000, kNowMs);
      ASSERT_FALSE(page.is_trimmed);
      for (const StreamRecord& record : page.records) Apply(record, replay);
      position += page.records.size();
      if (was_done && page.records.empty()) return;
      if (page.records.empty()) std::this_thread::yield();
    }
  }

  void Apply(const StreamRecord& record, Replay* replay) {
    const ItemView any(table_->key, record.after ? record.after.get() : record.before.get());
    ItemRef& stored = (*replay)[std::string(any.KeyValue(0).bytes())];
    ASSERT_EQ(stored, record.before);
    ASSERT_NE(record.before, record.after);
    if (record.before && record.after) {
      ASSERT_NE(IntegerOf({table_->key, record.before.get()}, "n"),
                IntegerOf({table_->key, record.after.get()}, "n"))
          << "a record of a write that changed nothing";
    }
    stored = record.after;
  }

  ManualClock clock_{kNowMs};
  StreamSet streams_{clock_, {.shards = GetParam(), .buffer_bytes = 1LL << 40}};
  Engine engine_{clock_};
  StreamRef stream_;
  TableRef table_;
};

TEST_P(StreamReplayTest, ReplayMakesTheTable) {
  std::atomic<bool> done = false;
  std::vector<Replay> replays(stream_->shard_count());
  std::vector<std::thread> readers;
  for (std::size_t shard = 0; shard < replays.size(); ++shard) {
    readers.emplace_back([&, shard] { Follow(shard, done, &replays[shard]); });
  }
  std::vector<std::thread> writers;
  for (int thread = 0; thread < kThreads; ++thread) {
    writers.emplace_back([&, thread] { Write(static_cast<std::uint64_t>(thread) + 1); });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  for (std::thread& reader : readers) reader.join();

  Replay whole;
  for (const Replay& replay : replays) {
    for (const auto& [key, item] : replay) {
      if (!item) continue;
      EXPECT_TRUE(whole.emplace(key, item).second) << key << " is in two shards";
    }
  }
  Replay table;
  for (const ItemRef& item : RangeAll(engine_, *table_, nullptr)) {
    table.emplace(ItemView(table_->key, item.get()).KeyValue(0).bytes(), item);
  }
  EXPECT_GT(table.size(), kKeys / 2u);
  EXPECT_EQ(whole, table);
}

INSTANTIATE_TEST_SUITE_P(Shards, StreamReplayTest, testing::Values(1, 3));

}  // namespace
}  // namespace hashrange::test
