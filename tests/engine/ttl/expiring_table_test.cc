// The steps of one expiring table; its set of expiries is compared with the stored items.
#include "engine/ttl/expiring_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/ttl/expiry_set.h"
#include "engine/ttl/time_to_live.h"
#include "engine/ttl/ttl_fixture.h"

namespace hashrange::test {
namespace {

using Progress = ExpiringTable::Progress;

class ExpiringTableTest : public ::testing::Test {
 protected:
  ExpiringTableTest() { engine_.catalog().Create(NewQuietTable("app")); }

  void PutMany(int first, int end, std::int64_t epoch_s) {
    for (int i = first; i < end; ++i) writer_.Put("app", Key(i), "ttl", epoch_s);
  }
  static void Finish(ExpiringTable& expiring) {
    while (expiring.Step() == Progress::kMore) {
    }
  }
  static std::string Key(int i) { return "item#" + std::to_string(i); }

  // Returns how many of the stored items the set should contain.
  std::size_t StoredExpiring(const TableVersion& table) {
    std::size_t count = 0;
    for (const ItemRef& item : RangeAll(engine_, table, nullptr)) {
      count += table.settings.expiries->ExpiryOf({table.key, item.get()}).has_value();
    }
    return count;
  }
  void ExpectExact(const TableVersion& table) {
    EXPECT_EQ(table.settings.expiries->size(), StoredExpiring(table));
  }

  ManualClock clock_{kStartS * 1000};
  Engine engine_{clock_};
  TimeToLive time_to_live_{engine_, 0};  // updates the sets with every commit
  Writer writer_{engine_};
};

TEST_F(ExpiringTableTest, IsFilledPageByPage) {
  PutMany(0, 2500, kStartS + 60);
  for (int i = 2500; i < 3000; ++i) writer_.Put("app", Key(i));
  const TableRef table = Publish(engine_, "app", "ttl");
  ExpiringTable expiring(engine_, *table);
  EXPECT_EQ(table->settings.expiries->size(), 0u);
  int steps = 1;
  while (expiring.Step() == Progress::kMore) ++steps;
  EXPECT_EQ(steps, 4 + 1);  // four pages, the last one not full; then nothing is due
  EXPECT_EQ(table->settings.expiries->size(), 2500u);
}

// Items are written between two steps, before and behind the page that was read.
TEST_F(ExpiringTableTest, LosesAndDoublesNothingThatIsWrittenMeanwhile) {
  PutMany(0, 3000, kStartS + 60);
  const TableRef table = Publish(engine_, "app", "ttl");
  ExpiringTable expiring(engine_, *table);
  Random random(7);
  int fresh = 3000;
  do {
    for (int n = 0; n < 400; ++n) {
      const int i = static_cast<int>(random.Next() % 3000);
      switch (random.Next() % 5) {
        case 0:
          writer_.Put("app", Key(i), "ttl", kStartS + 120);
          break;
        case 1:
          writer_.Put("app", Key(i));  // without the attribute
          break;
        case 2:
          writer_.Erase("app", Key(i));
          break;
        case 3:
          writer_.Put("app", Key(i), {{"ttl", S("1700000000")}});
          break;
        default:
          writer_.Put("app", Key(fresh++), "ttl", kStartS + 60);
      }
    }
  } while (expiring.Step() == Progress::kMore);
  ExpectExact(*table);
  EXPECT_GT(table->settings.expiries->size(), 1000u);
  clock_.Advance(121'000);
  Finish(expiring);
  EXPECT_EQ(StoredExpiring(*table), 0u);
  EXPECT_EQ(table->settings.expiries->size(), 0u);
}

// Many items have the same shard and the same time. After random writes, the set is compared with
// the stored items.
TEST_F(ExpiringTableTest, FollowsEveryWrite) {
  const TableRef table = Publish(engine_, "app", "ttl");
  Random random(3);
  for (int n = 0; n < 4000; ++n) {
    const std::string key = Key(static_cast<int>(random.Next() % 200));
    const auto epoch_s = kStartS + static_cast<std::int64_t>(random.Next() % 3);
    if (random.Next() % 4 == 0) {
      writer_.Erase("app", key);
    } else {
      writer_.Put("app", key, random.Next() % 3 ? "ttl" : "other", epoch_s);
    }
    if (n % 100 == 0) ExpectExact(*table);
  }
  ExpectExact(*table);
  std::size_t due = 0;
  for (int shard = 0; shard < ExpirySet::kShards; ++shard) {
    due += table->settings.expiries->Due(shard, kStartS * 1000 + 1, 1000).size();
  }
  std::size_t stored = 0;
  for (const ItemRef& item : RangeAll(engine_, *table, nullptr)) {
    stored += IntegerOf({table->key, item.get()}, "ttl") == kStartS;
  }
  EXPECT_EQ(due, stored);
  EXPECT_GT(due, 10u);
}

TEST_F(ExpiringTableTest, ContinuesWithNewVersions) {
  PutMany(0, 1500, kStartS - 1);
  ExpiringTable expiring(engine_, *Publish(engine_, "app", "ttl"));
  EXPECT_EQ(expiring.Step(), Progress::kMore);
  const TableRef current = FindTable(engine_, "app");
  const auto protect = [](TableVersion* next) { next->settings.deletion_protection = true; };
  ASSERT_TRUE(PublishChange(engine_.catalog(), current, protect));
  Finish(expiring);
  const TableRef table = FindTable(engine_, "app");
  EXPECT_EQ(engine_.StatisticsOf(*table, nullptr).item_count, 0);
  EXPECT_EQ(table->settings.expiries->size(), 0u);
}

TEST_F(ExpiringTableTest, IsGoneWithItsSet) {
  PutMany(0, 10, kStartS - 1);
  ExpiringTable first(engine_, *Publish(engine_, "app", "ttl"));
  ExpiringTable other(engine_, *Publish(engine_, "app", "other"));
  EXPECT_EQ(first.Step(), Progress::kGone);
  EXPECT_EQ(other.Step(), Progress::kMore);
  Publish(engine_, "app", "");
  EXPECT_EQ(other.Step(), Progress::kGone);
  EXPECT_EQ(engine_.StatisticsOf(*FindTable(engine_, "app"), nullptr).item_count, 10);
}

TEST_F(ExpiringTableTest, LeavesATableThatIsBeingDeletedAlone) {
  PutMany(0, 10, kStartS - 1);
  ExpiringTable expiring(engine_, *Publish(engine_, "app", "ttl"));
  const TableRef current = FindTable(engine_, "app");
  const auto begin_deletion = [](TableVersion* next) {
    next->phase.status = ResourceStatus::kDeleting;
  };
  const TableRef deleting = PublishChange(engine_.catalog(), current, begin_deletion);
  EXPECT_EQ(expiring.Step(), Progress::kDone);
  EXPECT_EQ(engine_.StatisticsOf(*deleting, nullptr).item_count, 10);
  engine_.catalog().Remove(deleting);
  EXPECT_EQ(expiring.Step(), Progress::kGone);
}

TEST_F(ExpiringTableTest, ASetThatIsFilledIsNotFilledAgain) {
  PutMany(0, 10, kStartS + 60);
  const TableRef table = Publish(engine_, "app", "ttl");
  ExpiringTable expiring(engine_, *table, true);
  EXPECT_EQ(expiring.Step(), Progress::kDone);
  EXPECT_EQ(table->settings.expiries->size(), 0u);
}

// A page ends within the item collection, and the next one goes on behind its last item.
TEST_F(ExpiringTableTest, AnItemCollectionOfSeveralPagesIsFilled) {
  constexpr int kItems = 2500;
  auto version = NewTable("collection", KeysOf("pk", "sk"));
  version->settings.stream.reset();
  engine_.catalog().Create(std::move(version));
  ItemMaker maker(KeysOf("pk", "sk"));
  for (int i = 0; i < kItems; ++i) {
    Put(engine_, *FindTable(engine_, "collection"),
        maker.Make({{"pk", S("one")}, {"sk", maker.N(i)}, {"ttl", maker.N(kStartS)}}));
  }
  const TableRef table = Publish(engine_, "collection", "ttl");
  ExpiringTable expiring(engine_, *table);
  for (int page = 0; page < 3; ++page) EXPECT_EQ(expiring.Step(), Progress::kMore);
  EXPECT_EQ(table->settings.expiries->size(), std::size_t{kItems});
  clock_.Advance(1000);
  Finish(expiring);
  EXPECT_TRUE(RangeAll(engine_, *table, nullptr).empty());
}

}  // namespace
}  // namespace hashrange::test
