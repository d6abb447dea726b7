// Writers, readers of the past and a thread that switches the lag run at once, for ThreadSanitizer
// too.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"
#include "operation/read/read_lag.h"
#include "simulation/consistency.h"

namespace hashrange {
namespace {

using test::ItemMaker;
using test::kAccount;
using test::KeysOf;

constexpr int kWriters = 3;
constexpr int kReaders = 2;
constexpr int kWrites = 1500;
constexpr int kCollections = 4;  // of each writer
constexpr int kItems = 3;        // of each collection
constexpr std::int64_t kMaxLagMs = 60;
constexpr LagSettings kLag{DelayRange{0, kMaxLagMs}, DelayRange{10, 30}, 5};

// Each writer counts its items up: the n of an item always grows, and so does the n of a collection
// in the order of its changes.
class LagThreadsTest : public ::testing::Test {
 protected:
  LagThreadsTest() {
    engine_.catalog().Create(test::NewTable(
        "app", KeysOf("pk", "sk"),
        {test::GlobalIndex("byG", KeysOf("g", "pk")), test::LocalIndex("byL", KeysOf("pk", "g"))}));
  }

  TableRef Table() { return engine_.catalog().Find(kAccount, "app"); }

  void Write(int writer) {
    ItemMaker maker(KeysOf("pk", "sk"));
    Random random(static_cast<std::uint64_t>(writer));
    for (int n = 1; n <= kWrites; ++n) {
      const std::string pk =
          std::to_string(writer) + "." + std::to_string(random.Next() % kCollections);
      const ItemRef item = maker.Make({{"pk", maker.Text(pk)},
                                       {"sk", maker.Text(std::to_string(random.Next() % kItems))},
                                       {"g", maker.Text(n % 2 ? "odd" : "even")},
                                       {"n", maker.N(n)}});
      while (test::Put(engine_, *Table(), item).result != CommitResult::kCommitted) {
      }
      maker.Reset();
      if (n % 5 == 0) clock_.Advance(1);
    }
    --writing_;
  }

  // Reads everything in the table and its indexes by turns. With `is_steady`, a reader never sees
  // an older state than before.
  void Read(bool is_steady) {
    std::map<std::string, std::int64_t> newest[3];
    do {  // at least once, however fast the writers are
      for (std::size_t kind = 0; kind < 3; ++kind) {
        const TableRef table = Table();
        const IndexVersion* const index =
            kind == 0 ? nullptr : table->FindIndex(kind == 1 ? "byG" : "byL");
        const ReadView view = ReadViewOf(*table, index, false);
        RangeReader reader = engine_.Range(*view.table, view.index, {}, true);
        while (const Item* item = reader.Next()) {
          Check({table->key, item}, index, is_steady ? &newest[kind] : nullptr);
        }
        ++reads_;
      }
    } while (writing_ > 0);
  }

  void Check(ItemView item, const IndexVersion* index,
             std::map<std::string, std::int64_t>* newest) {
    const std::int64_t n = test::IntegerOf(item, "n");
    const bool is_right = n >= 1 && n <= kWrites &&
                          (!index || BelongsTo(index->schema.key, item)) &&
                          item.Find("g")->bytes() == (n % 2 ? "odd" : "even");
    if (!is_right) ++wrong_;
    if (!newest) return;
    std::int64_t& last = (*newest)[std::string(item.item()->key())];
    if (n < last) ++wrong_;
    last = n;
  }

  void ExpectPastIsTable() {
    clock_.Advance(kMaxLagMs);
    const TableRef table = Table();
    for (const char* name : {"", "byG", "byL"}) {
      const IndexVersion* const index = *name ? table->FindIndex(name) : nullptr;
      const ReadView view = ReadViewOf(*table, index, false);
      ASSERT_TRUE(view.past);
      EXPECT_EQ(test::RangeAll(engine_, *view.table, view.index),
                test::RangeAll(engine_, *table, index))
          << name;
    }
  }

  void StartAll(bool is_steady) {
    for (int i = 0; i < kWriters; ++i) threads_.emplace_back([this, i] { Write(i); });
    for (int i = 0; i < kReaders; ++i) {
      threads_.emplace_back([this, is_steady] { Read(is_steady); });
    }
  }
  void JoinAll() {
    for (std::thread& thread : threads_) thread.join();
  }

  ManualClock clock_{1'700'000'000'000};
  Engine engine_{clock_};
  Consistency consistency_{engine_};
  std::vector<std::thread> threads_;
  std::atomic<int> writing_{kWriters};
  std::atomic<int> reads_{0};
  std::atomic<int> wrong_{0};
};

TEST_F(LagThreadsTest, ReadersNeverSeeOlderItemsAgain) {
  ASSERT_TRUE(consistency_.Set(kAccount, "app", kLag));
  StartAll(true);
  JoinAll();
  EXPECT_EQ(wrong_, 0);
  EXPECT_GT(reads_, 0);
  ExpectPastIsTable();
}

TEST_F(LagThreadsTest, LagIsSwitchedUnderLoad) {
  StartAll(false);
  for (int round = 0; writing_ > 0; ++round) {
    ASSERT_TRUE(consistency_.Set(kAccount, "app", kLag));
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    consistency_.Tables({});
    if (round % 3 == 0) {
      ASSERT_TRUE(consistency_.Set(kAccount, "app", {.index_lag = DelayRange{}}));
    } else if (round % 3 == 1) {
      EXPECT_EQ(consistency_.Clear({}), 1u);
    }
  }
  ASSERT_TRUE(consistency_.Set(kAccount, "app", kLag));
  JoinAll();
  EXPECT_EQ(wrong_, 0);
  EXPECT_GT(reads_, 0);
  ExpectPastIsTable();
}

// The lag is set and read for the first time while writers run: no change is missed, and none is
// seen twice.
TEST_F(LagThreadsTest, LagBeginsUnderLoad) {
  StartAll(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(consistency_.Set(kAccount, "app", kLag));
  JoinAll();
  EXPECT_EQ(wrong_, 0);
  ExpectPastIsTable();
}

// The table is deleted while its past is read.
TEST_F(LagThreadsTest, TableMayBeDeleted) {
  for (int round = 0; round < 100; ++round) {
    engine_.catalog().Create(test::NewTable("passing", KeysOf("pk", "sk")));
    ASSERT_TRUE(consistency_.Set(kAccount, "passing", kLag));
    const TableRef table = engine_.catalog().Find(kAccount, "passing");
    ItemMaker maker(KeysOf("pk", "sk"));
    const ItemRef item = maker.Make({{"pk", test::S("a")}, {"sk", test::S("1")}});
    ASSERT_EQ(test::Put(engine_, *table, item).result, CommitResult::kCommitted);
    std::thread reader([&] {
      for (int i = 0; i < 5; ++i) {
        const ReadView view = ReadViewOf(*table, nullptr, false);
        EXPECT_LE(test::RangeAll(engine_, *view.table, nullptr).size(), 1u);
      }
    });
    while (!engine_.catalog().Remove(engine_.catalog().Find(kAccount, "passing"))) {
    }
    reader.join();
  }
}

}  // namespace
}  // namespace hashrange
