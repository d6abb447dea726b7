// A backfill beside writers of all kinds, for ThreadSanitizer and for exactness: an index that
// was added later must equal an index that existed from the start.
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/backfill/backfill_fixture.h"
#include "engine/backfill/backfiller.h"

namespace hashrange::test {
namespace {

constexpr int kItems = 3000;
constexpr int kWriters = 3;

class BackfillLoadTest : public BackfillFixture {
 protected:
  // Makes random writes until `stop`. A write that is stale is repeated with the published version.
  void Write(int writer, const std::atomic<bool>& stop) {
    ItemMaker maker(KeysOf("pk"));
    Random random(static_cast<std::uint64_t>(writer));
    for (int round = 1; !stop.load(std::memory_order_relaxed); ++round) {
      maker.Reset();
      const int i = static_cast<int>(random.Next() % (kItems + 500));
      switch (random.Next() % 4) {
        case 0:
          EraseItem(PositionOf(*Make(maker, i, round)));
          break;
        case 1:
          Swap(maker, i, (i + 1) % kItems, round);
          break;
        default:
          PutItem(Make(maker, i, round));
      }
    }
  }
  void PutItem(const ItemRef& item) {
    while (Put(engine_, *Published(), item).result == CommitResult::kStale) {
    }
  }
  void EraseItem(const Position& position) {
    while (Erase(engine_, *Published(), position).result == CommitResult::kStale) {
    }
  }
  // Writes two items in one commit.
  void Swap(ItemMaker& maker, int i, int j, int round) {
    const ItemRef a = Make(maker, i, round);
    const ItemRef b = Make(maker, j, round + 1);
    const auto put_a = [&](ItemView) { return Decision::Put(a); };
    const auto put_b = [&](ItemView before) {
      return before.exists() ? Decision::Erase() : Decision::Put(b);
    };
    CommitResult result;
    do {
      const TableRef table = Published();
      const ItemWrite writes[] = {{{table.get(), PositionOf(*a)}, put_a},
                                  {{table.get(), PositionOf(*b)}, put_b}};
      WriteOutcome outcomes[2];
      Arena arena(4 << 10);
      result = engine_.Commit(writes, outcomes, arena);
    } while (result == CommitResult::kStale);
  }
  void ReadIndex(const std::atomic<bool>& stop) {
    while (!stop.load(std::memory_order_relaxed)) {
      const TableRef table = Published();
      const std::vector<ItemRef> entries =
          RangeAll(engine_, *table, &IndexOf(*table, "from the start"));
      EXPECT_LE(entries.size(), static_cast<std::size_t>(kItems + 500));
    }
  }
};

TEST_F(BackfillLoadTest, TheIndexEqualsOneThatExistedFromTheStart) {
  Republish([](TableVersion* table) {
    table->indexes.push_back(GlobalIndex("from the start", KeysOf("kind")));
  });
  PutItems(kItems);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([this, w, &stop] { Write(w, stop); });
  }
  threads.emplace_back([this, &stop] { ReadIndex(stop); });

  Backfiller backfiller(engine_, {.at_once = 5});
  for (const std::string name : {"first", "second", "vectors"}) {
    AddIndex(name);
    backfiller.Start(AddressOf(name));
    while (!IsFilled(name)) std::this_thread::yield();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();

  const TableRef table = Published();
  const auto from_the_start = RangeAll(engine_, *table, &IndexOf(*table, "from the start"));
  for (const char* name : {"first", "second"}) {
    EXPECT_EQ(RangeAll(engine_, *table, &IndexOf(*table, name)), from_the_start) << name;
  }
  ExpectExact();
}

}  // namespace
}  // namespace hashrange::test
