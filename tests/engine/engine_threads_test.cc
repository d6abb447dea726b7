// Many threads at once, for ThreadSanitizer and for atomicity: an amount that is moved is never
// seen twice or missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"

namespace hashrange::test {
namespace {

constexpr int kAccounts = 24;
constexpr int kBalance = 100;
constexpr int kTransfers = 1500;

std::unique_ptr<TableVersion> Bank(std::string name) {
  IndexVersion local = LocalIndex("local", KeysOf("pk", "balance"));
  local.schema.key.range[0].type = AttributeType::kN;
  IndexVersion rank = GlobalIndex("rank", KeysOf("bank", "balance"));
  rank.schema.key.range[0].type = AttributeType::kN;
  return NewTable(std::move(name), KeysOf("pk"),
                  {GlobalIndex("bank", KeysOf("bank")), rank, local});
}

ItemRef MakeAccount(ItemMaker& maker, int i, std::int64_t balance) {
  return maker.Make({{"pk", maker.Text("account#" + std::to_string(i))},
                     {"bank", S("the bank")},
                     {"balance", maker.N(balance)}});
}

class TransfersTest : public ::testing::Test {
 protected:
  TransfersTest() {
    for (int i = 0; i < kAccounts; ++i) {
      const ItemRef item = MakeAccount(maker_, i, kBalance);
      for (const TableRef& bank : banks_) Put(engine_, *bank, item);
      accounts_.push_back(item);
    }
  }

  ItemAddress AddressOf(int bank, int i) const {
    return {banks_[bank].get(), PositionOf(*accounts_[i])};
  }

  // Moves money from one account to another; the commit is refused when there is too little.
  void Transfer(ItemMaker& maker, ItemAddress from, int from_i, ItemAddress to, int to_i,
                std::int64_t amount) {
    const auto withdraw = [&](ItemView before) {
      const std::int64_t balance = IntegerOf(before, "balance") - amount;
      if (balance < 0) return Decision::Refuse(ValidationError("too little"));
      return Decision::Put(MakeAccount(maker, from_i, balance));
    };
    const auto deposit = [&](ItemView before) {
      return Decision::Put(MakeAccount(maker, to_i, IntegerOf(before, "balance") + amount));
    };
    const ItemWrite writes[] = {{from, withdraw}, {to, deposit}};
    WriteOutcome outcomes[2];
    Arena arena(4 << 10);
    const CommitResult result = engine_.Commit(writes, outcomes, arena);
    EXPECT_NE(result, CommitResult::kStale);
    EXPECT_EQ(result == CommitResult::kRefused, outcomes[0].error.has_value());
  }

  // Runs transfers within or between the banks on three threads while `observe` runs.
  void RunTransfers(bool between, const std::function<void()>& observe) {
    std::atomic<int> running{3};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        Random random(t);
        ItemMaker maker(KeysOf("pk"));
        for (int n = 0; n < kTransfers; ++n) {
          const int from = static_cast<int>(random.Next() % kAccounts);
          const int to = static_cast<int>((from + 1 + random.Next() % (kAccounts - 1)) % kAccounts);
          const int bank = static_cast<int>(random.Next() % 2);
          Transfer(maker, AddressOf(bank, from), from, AddressOf(between ? 1 - bank : bank, to), to,
                   random.Next() % 40);
          maker.Reset();
        }
        --running;
      });
    }
    while (running > 0 && !HasFailure()) observe();
    for (std::thread& thread : threads) thread.join();
    observe();
    for (const TableRef& bank : banks_) ExpectExactIndexes(engine_, *bank);
  }

  const ManualClock clock_{0};
  Engine engine_{clock_};
  ItemMaker maker_{KeysOf("pk")};
  TableRef banks_[2] = {engine_.catalog().Create(Bank("one")),
                        engine_.catalog().Create(Bank("two"))};
  std::vector<ItemRef> accounts_;
};

TEST_F(TransfersTest, ReadSeesOneInstantOfSeveralTables) {
  std::vector<ItemAddress> addresses;
  for (int i = 0; i < kAccounts; ++i) {
    addresses.push_back(AddressOf(0, i));
    addresses.push_back(AddressOf(1, i));
  }
  RunTransfers(true, [&] {
    std::vector<ItemRef> items(addresses.size());
    engine_.Read(addresses, items);
    std::int64_t sum = 0;
    for (const ItemRef& item : items) sum += IntegerOf({banks_[0]->key, item.get()}, "balance");
    EXPECT_EQ(sum, 2 * kAccounts * kBalance);
  });
}

TEST_F(TransfersTest, APageOfAnIndexIsOfOneInstant) {
  RunTransfers(false, [&] {
    for (const char* name : {"bank", "rank"}) {
      for (const TableRef& bank : banks_) {
        std::int64_t sum = 0;
        int count = 0;
        RangeReader reader = engine_.Range(*bank, bank->FindIndex(name), {}, count % 2 == 0);
        while (const Item* item = reader.Next()) {
          sum += IntegerOf({bank->key, item}, "balance");
          ++count;
        }
        EXPECT_EQ(count, kAccounts);
        EXPECT_EQ(sum, kAccounts * kBalance);
      }
    }
  });
}

// Increments one counter `times` times, each time with the present version of its table.
void Increment(Engine& engine, int times) {
  ItemMaker maker(KeysOf("pk"));
  for (int n = 0; n < times;) {
    const TableRef table = engine.catalog().Find(kAccount, "t");
    const auto commit = CommitOne(engine, *table, maker.At({S("counter")}), [&](ItemView before) {
      const std::int64_t count = IntegerOf(before, "n") + 1;
      return Decision::Put(maker.Make({{"pk", S("counter")}, {"n", maker.N(count)}}));
    });
    n += commit.result == CommitResult::kCommitted;
    maker.Reset();
  }
}

TEST(EngineThreads, CommitsSurviveThePublishingOfVersions) {
  const ManualClock clock(0);
  Engine engine(clock);
  engine.catalog().Create(NewTable("t", KeysOf("pk")));
  std::thread writers[2] = {std::thread(Increment, std::ref(engine), 1500),
                            std::thread(Increment, std::ref(engine), 1500)};
  for (int n = 0; n < 300; ++n) {
    const TableRef current = engine.catalog().Find(kAccount, "t");
    auto next = std::make_unique<TableVersion>(*current);
    if (next->indexes.empty()) {
      next->indexes.push_back(GlobalIndex("n", KeysOf("n")));
      next->indexes[0].schema.key.hash[0].type = AttributeType::kN;
    } else {
      next->indexes.clear();
    }
    ASSERT_NE(engine.catalog().Publish(current, std::move(next)), nullptr);
    std::this_thread::yield();
  }
  for (std::thread& writer : writers) writer.join();
  const TableRef table = engine.catalog().Find(kAccount, "t");
  ItemMaker maker(KeysOf("pk"));
  const ItemRef item = ReadOne(engine, *table, maker.At({S("counter")}));
  EXPECT_EQ(IntegerOf({table->key, item.get()}, "n"), 3000);
}

// Creates, writes to, reads and removes tables that other threads create and remove too.
void UseTables(Engine& engine, int thread) {
  ItemMaker maker(KeysOf("pk"));
  Catalog& catalog = engine.catalog();
  for (int n = 0; n < 400; ++n) {
    const std::string name = "t" + std::to_string((n + thread) % 5);
    catalog.Create(NewTable(name, KeysOf("pk"), {GlobalIndex("v", KeysOf("v"))}));
    if (const TableRef table = catalog.Find(kAccount, name)) {
      const ItemRef item = maker.Make({{"pk", maker.Text(std::to_string(n))}, {"v", S("v")}});
      Put(engine, *table, item);
      for (const ItemRef& read : RangeAll(engine, *table, &table->indexes[0])) {
        EXPECT_TRUE(ItemView(table->key, read.get()).Find("v").has_value());
      }
      if (n % 7 == 0) catalog.Remove(table);
      if (n % 7 == 3) catalog.Publish(table, std::make_unique<TableVersion>(*table));
    }
    bool more = false;
    EXPECT_LE(catalog.List(kAccount, std::nullopt, 10, &more).size(), 5u);
    catalog.AccountsWith(name, 3);
    maker.Reset();
  }
}

TEST(EngineThreads, TablesAreCreatedUsedAndRemovedAtOnce) {
  const ManualClock clock(0);
  Engine engine(clock);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back(UseTables, std::ref(engine), t);
  for (std::thread& thread : threads) thread.join();
}

// One commit writes two items, in partitions that the commit creates. A reader that has passed the
// first partition before it was created still sees both items or neither. The reader reads the
// second item many times, so that the read takes long.
TEST(EngineThreads, TheFirstCommitOfATableIsSeenWhole) {
  const ManualClock clock(0);
  Engine engine(clock);
  ItemMaker maker(KeysOf("pk"));
  const ItemRef first = maker.Make({{"pk", S("1")}});
  const ItemRef second = maker.Make({{"pk", S("2")}});
  ASSERT_NE(PartitionSet::NumberOf(first->hash()), PartitionSet::NumberOf(second->hash()));
  for (int round = 0; round < 100; ++round) {
    const TableRef table =
        engine.catalog().Create(NewTable("t" + std::to_string(round), KeysOf("pk")));
    std::atomic<bool> reading = false;
    std::thread writer([&] {
      const auto put_first = [&](ItemView) { return Decision::Put(first); };
      const auto put_second = [&](ItemView) { return Decision::Put(second); };
      const ItemWrite writes[] = {{{table.get(), PositionOf(*first)}, put_first},
                                  {{table.get(), PositionOf(*second)}, put_second}};
      WriteOutcome outcomes[2];
      Arena arena(4 << 10);
      while (!reading) std::this_thread::yield();
      engine.Commit(writes, outcomes, arena);
    });
    std::vector<ItemAddress> addresses(2000, {table.get(), PositionOf(*second)});
    addresses[0].position = PositionOf(*first);
    std::vector<ItemRef> read(addresses.size());
    reading = true;
    while (!read.back()) {
      engine.Read(addresses, read);
      EXPECT_EQ(read.front() == nullptr, read.back() == nullptr);
    }
    writer.join();
  }
}

}  // namespace
}  // namespace hashrange::test
