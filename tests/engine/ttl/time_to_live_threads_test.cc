// Writers, the sweeper and changes of a table's time to live at the same time, for ThreadSanitizer
// and for exactness: no due item stays, and no other item is deleted.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/ttl/expiry_set.h"
#include "engine/ttl/time_to_live.h"
#include "engine/ttl/ttl_fixture.h"

namespace hashrange::test {
namespace {

constexpr int kWriters = 3;
constexpr int kWrites = 15000;
constexpr int kKeys = 3000;

// Checks, inside the commit of each deletion, that the item was due.
class DueCheck : public ChangeObserver {
 public:
  explicit DueCheck(Engine& engine) { engine.AddObserver(*this); }
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    for (const Change& change : changes) {
      if (change.origin != WriteOrigin::kTimeToLive) continue;
      ++deletions;
      const auto expiry =
          change.table->settings.expiries->ExpiryOf({change.table->key, change.before.get()});
      if (change.after || !expiry || !IsDue(*expiry, change.epoch_ms)) ++wrong;
    }
  }
  std::atomic<int> deletions{0};
  std::atomic<int> wrong{0};
};

class TimeToLiveThreadsTest : public ::testing::Test {
 protected:
  TimeToLiveThreadsTest() { engine_.catalog().Create(NewQuietTable("app")); }

  // Puts and erases items that expire within the next ten seconds, by one of two attributes.
  void Write(int thread) {
    Writer writer(engine_);
    Random random(static_cast<std::uint64_t>(thread));
    for (int n = 0; n < kWrites; ++n) {
      const std::string key = std::to_string(random.Next() % kKeys);
      const std::int64_t epoch_s =
          clock_.NowEpochMs() / 1000 + static_cast<std::int64_t>(random.Next() % 10);
      switch (random.Next() % 8) {
        case 0:
          writer.Erase("app", key);
          break;
        case 1:
          writer.Put("app", key);
          break;
        default:
          writer.Put("app", key, random.Next() % 2 ? "ttl_a" : "ttl_b", epoch_s);
      }
      if (n % 20 == 0) clock_.Advance(100);
    }
    --running_;
  }

  // Checks that no due item is left after a last sweep, and that the set has every item that
  // expires.
  void ExpectExact() {
    time_to_live_.Sweep();
    const TableRef table = FindTable(engine_, "app");
    const ExpirySet& expiries = *table->settings.expiries;
    std::size_t expiring = 0;
    for (const ItemRef& item : RangeAll(engine_, *table, nullptr)) {
      const auto expiry = expiries.ExpiryOf({table->key, item.get()});
      expiring += expiry.has_value();
      EXPECT_FALSE(expiry && IsDue(*expiry, clock_.NowEpochMs()));
    }
    EXPECT_EQ(expiries.size(), expiring);
  }

  ManualClock clock_{kStartS * 1000};
  Engine engine_{clock_};
  DueCheck check_{engine_};
  TimeToLive time_to_live_{engine_, 1};
  std::atomic<int> running_{kWriters};
};

TEST_F(TimeToLiveThreadsTest, DueItemsAreDeletedAndNoOthers) {
  std::vector<std::thread> writers;
  for (int t = 0; t < kWriters; ++t) writers.emplace_back([this, t] { Write(t); });
  for (int round = 0; running_ > 0; ++round) {
    const TableRef table = Publish(engine_, "app", round % 2 ? "ttl_b" : "ttl_a");
    time_to_live_.Watch(*table);
    if (round % 3 == 0) time_to_live_.Sweep();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (round % 5 == 4) Publish(engine_, "app", "");
  }
  for (std::thread& writer : writers) writer.join();
  time_to_live_.Watch(*Publish(engine_, "app", "ttl_a"));
  ExpectExact();
  EXPECT_EQ(check_.wrong, 0);
  EXPECT_GT(check_.deletions, 100);
}

// The attribute stays the same: the set is filled once, under load, and then only follows the log.
TEST_F(TimeToLiveThreadsTest, OneSetFollowsAllWriters) {
  std::vector<std::thread> writers;
  for (int t = 0; t < kWriters; ++t) writers.emplace_back([this, t] { Write(t); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  time_to_live_.Watch(*Publish(engine_, "app", "ttl_a"));
  for (std::thread& writer : writers) writer.join();
  ExpectExact();
  EXPECT_EQ(check_.wrong, 0);
  EXPECT_GT(check_.deletions, 100);
}

// Tables are created and removed while the sweeper works.
TEST_F(TimeToLiveThreadsTest, TablesMayBeRemoved) {
  for (int round = 0; round < 200; ++round) {
    engine_.catalog().Create(NewQuietTable("passing"));
    Writer writer(engine_);
    for (int i = 0; i < 20; ++i) writer.Put("passing", std::to_string(i), "ttl", kStartS - 1);
    time_to_live_.Watch(*Publish(engine_, "passing", "ttl"));
    if (round % 2) std::this_thread::yield();
    while (!engine_.catalog().Remove(FindTable(engine_, "passing"))) {
    }
  }
  EXPECT_EQ(check_.wrong, 0);
  engine_.catalog().Create(NewQuietTable("passing"));
  Writer writer(engine_);
  writer.Put("passing", "stays", "ttl", kStartS - 1);
  time_to_live_.Sweep();
  EXPECT_TRUE(writer.Has("passing", "stays"));
}

}  // namespace
}  // namespace hashrange::test
