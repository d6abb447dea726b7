#include "engine/ttl/time_to_live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "engine/ttl/expiry_set.h"
#include "engine/ttl/ttl_fixture.h"
#include "support/eventually.h"

namespace hashrange::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

int ThreadsOfThisProcess() {
  return static_cast<int>(
      std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

class TimeToLiveTest : public ::testing::Test {
 protected:
  TimeToLiveTest() { engine_.catalog().Create(NewQuietTable("app")); }

  void Enable(const std::string& attribute = "ttl") {
    time_to_live_.Watch(*Publish(engine_, "app", attribute));
  }
  std::int64_t ItemCount() {
    return engine_.StatisticsOf(*FindTable(engine_, "app"), nullptr).item_count;
  }

  ManualClock clock_{kStartS * 1000};
  Engine engine_{clock_};
  DeletionLog log_{engine_};
  TimeToLive time_to_live_{engine_, 0};
  Writer writer_{engine_};
};

TEST_F(TimeToLiveTest, AnItemStaysUntilTheSweepAfterItsTime) {
  Enable();
  writer_.Put("app", "a", "ttl", kStartS + 10);
  clock_.Advance(10'000);
  time_to_live_.Sweep();
  EXPECT_TRUE(writer_.Has("app", "a"));
  clock_.Advance(1);
  EXPECT_TRUE(writer_.Has("app", "a"));
  time_to_live_.Sweep();
  EXPECT_FALSE(writer_.Has("app", "a"));
  EXPECT_THAT(log_.keys, ElementsAre("a"));
}

TEST_F(TimeToLiveTest, OnlyNumbersOfTheLastFiveYearsExpire) {
  Enable();
  const std::int64_t past_s = kLongestPastMs / 1000;
  writer_.Put("app", "now", "ttl", kStartS - 1);
  writer_.Put("app", "long ago", "ttl", kStartS - past_s);
  writer_.Put("app", "too long ago", "ttl", kStartS - past_s - 1);
  writer_.Put("app", "zero", "ttl", 0);
  writer_.Put("app", "future", "ttl", kStartS + 1);
  writer_.Put("app", "milliseconds", "ttl", kStartS * 1000);
  writer_.Put("app", "text", {{"ttl", S("1600000000")}});
  writer_.Put("app", "other", "other", kStartS - 1);
  time_to_live_.Sweep();
  EXPECT_THAT(log_.keys, UnorderedElementsAre("now", "long ago"));
  EXPECT_EQ(ItemCount(), 6);
}

TEST_F(TimeToLiveTest, AnItemThatIsWrittenAgainStays) {
  Enable();
  for (const char* key : {"later", "without", "text"}) writer_.Put("app", key, "ttl", kStartS + 1);
  clock_.Advance(5'000);
  writer_.Put("app", "later", "ttl", kStartS + 60);
  writer_.Put("app", "without");
  writer_.Put("app", "text", {{"ttl", S("1")}});
  time_to_live_.Sweep();
  EXPECT_THAT(log_.keys, IsEmpty());
  clock_.Advance(60'000);
  time_to_live_.Sweep();
  EXPECT_THAT(log_.keys, ElementsAre("later"));
}

TEST_F(TimeToLiveTest, ItemsWrittenBeforeItWasEnabledExpireToo) {
  for (int i = 0; i < 2345; ++i) writer_.Put("app", std::to_string(i), "ttl", kStartS - 1 - i);
  writer_.Put("app", "stays");
  Enable();
  EXPECT_EQ(ItemCount(), 2346);
  time_to_live_.Sweep();
  EXPECT_EQ(ItemCount(), 1);
  EXPECT_EQ(log_.keys.size(), 2345u);
}

TEST_F(TimeToLiveTest, IndexesLoseTheItem) {
  IndexVersion local = LocalIndex("local", KeysOf("pk", "a"));
  const TableRef table = engine_.catalog().Create(
      NewQuietTable("indexed", {GlobalIndex("global", KeysOf("a")), local}));
  time_to_live_.Watch(*Publish(engine_, "indexed", "ttl"));
  writer_.Put("indexed", "k", {{"a", S("x")}, {"ttl", writer_.maker().N(kStartS - 1)}});
  const TableRef current = FindTable(engine_, "indexed");
  EXPECT_EQ(engine_.StatisticsOf(*current, &current->indexes[0]).item_count, 1);
  time_to_live_.Sweep();
  EXPECT_EQ(engine_.StatisticsOf(*current, nullptr), TableStatistics());
  EXPECT_EQ(engine_.StatisticsOf(*current, &current->indexes[0]), TableStatistics());
  EXPECT_EQ(engine_.StatisticsOf(*current, &current->indexes[1]), TableStatistics());
}

TEST_F(TimeToLiveTest, DisablingStopsExpiryAndAnotherAttributeStartsItAgain) {
  Enable();
  writer_.Put("app", "a", "ttl", kStartS + 1);
  writer_.Put("app", "b", "other", kStartS + 1);
  Publish(engine_, "app", "");
  clock_.Advance(2'000);
  time_to_live_.Sweep();
  EXPECT_EQ(ItemCount(), 2);
  Enable("other");
  time_to_live_.Sweep();
  EXPECT_THAT(log_.keys, ElementsAre("b"));
  Publish(engine_, "app", "");
  Enable("ttl");
  time_to_live_.Sweep();
  EXPECT_THAT(log_.keys, ElementsAre("b", "a"));
}

TEST_F(TimeToLiveTest, AKeyAttributeMayBeTheTime) {
  auto version = NewQuietTable("sorted");
  version->key = KeysOf("pk", "at");
  version->key.range[0].type = AttributeType::kN;
  engine_.catalog().Create(std::move(version));
  const TableRef table = Publish(engine_, "sorted", "at");
  time_to_live_.Watch(*table);
  ItemMaker maker(table->key);
  for (const std::int64_t at : {kStartS - 1, kStartS + 1}) {
    Put(engine_, *table, maker.Make({{"pk", S("k")}, {"at", maker.N(at)}}));
  }
  time_to_live_.Sweep();
  EXPECT_EQ(engine_.StatisticsOf(*table, nullptr).item_count, 1);
}

TEST_F(TimeToLiveTest, ANewTableOfTheSameNameStartsWithoutTimeToLive) {
  Enable();
  writer_.Put("app", "a", "ttl", kStartS - 1);
  const std::weak_ptr<ExpirySet> dropped = FindTable(engine_, "app")->settings.expiries;
  ASSERT_TRUE(engine_.catalog().Remove(FindTable(engine_, "app")));
  // The sweeper frees its set, not the thread that removes the table.
  EXPECT_FALSE(dropped.expired());
  engine_.catalog().Create(NewQuietTable("app"));
  writer_.Put("app", "b", "ttl", kStartS - 1);
  time_to_live_.Sweep();
  EXPECT_TRUE(dropped.expired());
  EXPECT_TRUE(writer_.Has("app", "b"));
  EXPECT_THAT(log_.keys, IsEmpty());
  Enable();
  time_to_live_.Sweep();
  EXPECT_THAT(log_.keys, ElementsAre("b"));
}

TEST_F(TimeToLiveTest, SetsOfRemovedTablesAreFreedThoughNobodySweeps) {
  std::vector<std::weak_ptr<ExpirySet>> sets;
  for (int i = 0; i < 100; ++i) {
    Enable();
    sets.push_back(FindTable(engine_, "app")->settings.expiries);
    ASSERT_TRUE(engine_.catalog().Remove(FindTable(engine_, "app")));
    engine_.catalog().Create(NewQuietTable("app"));
  }
  // Another thread frees the sets.
  const auto there = [&] {
    return std::ranges::count_if(sets, [](const auto& set) { return !set.expired(); });
  };
  while (there() > 16) std::this_thread::yield();
}

// An item that was due is not due any more when the clock is moved back.
TEST_F(TimeToLiveTest, TheClockMayBeMovedBack) {
  Enable();
  writer_.Put("app", "a", "ttl", kStartS + 1);
  clock_.Advance(2'000);
  clock_.Advance(-2'000);
  time_to_live_.Sweep();
  EXPECT_EQ(ItemCount(), 1);
}

TEST_F(TimeToLiveTest, ManyTablesAreSweptTogether) {
  for (int t = 0; t < 5; ++t) {
    const std::string name = "table" + std::to_string(t);
    engine_.catalog().Create(NewQuietTable(name));
    for (int i = 0; i < 1100; ++i) writer_.Put(name, std::to_string(i), "ttl", kStartS - 1);
    time_to_live_.Watch(*Publish(engine_, name, "ttl"));
  }
  time_to_live_.Sweep();
  EXPECT_EQ(log_.keys.size(), 5500u);
}

TEST(TimeToLiveSweeper, StartsWithTheFirstTableAndFollowsTheClock) {
  ManualClock clock(kStartS * 1000);
  Engine engine(clock);
  std::thread([] {}).join();  // a sanitizer starts its own thread with the first thread
  const int before = ThreadsOfThisProcess();
  {
    TimeToLive time_to_live(engine, 1);
    Writer writer(engine);
    engine.catalog().Create(NewQuietTable("app"));
    writer.Put("app", "a", "ttl", kStartS + 3600);
    EXPECT_EQ(ThreadsOfThisProcess(), before);
    time_to_live.Watch(*Publish(engine, "app", "ttl"));
    EXPECT_EQ(ThreadsOfThisProcess(), before + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(writer.Has("app", "a"));
    clock.Advance(3'600'001);
    EXPECT_TRUE(Eventually([&] { return !writer.Has("app", "a"); }));
    // There is one thread for all tables.
    engine.catalog().Create(NewQuietTable("more"));
    writer.Put("more", "b", "ttl", kStartS);
    time_to_live.Watch(*Publish(engine, "more", "ttl"));
    EXPECT_TRUE(Eventually([&] { return !writer.Has("more", "b"); }));
    EXPECT_EQ(ThreadsOfThisProcess(), before + 1);
  }
  EXPECT_TRUE(Eventually([&] { return ThreadsOfThisProcess() == before; }));
}

// A new table is swept at once, however long the interval is, and the destructor does not wait for
// the end of the interval.
TEST(TimeToLiveSweeper, IsWokenByANewTableAndByItsEnd) {
  ManualClock clock(kStartS * 1000);
  Engine engine(clock);
  Writer writer(engine);
  constexpr std::int64_t kHourMs = 3'600'000;
  const auto begin = std::chrono::steady_clock::now();
  {
    TimeToLive time_to_live(engine, kHourMs);
    for (const char* name : {"first", "second"}) {
      engine.catalog().Create(NewQuietTable(name));
      writer.Put(name, "a", "ttl", kStartS - 1);
      time_to_live.Watch(*Publish(engine, name, "ttl"));
      EXPECT_TRUE(Eventually([&] { return !writer.Has(name, "a"); }));
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
}

// Every deletion takes a millisecond.
class SlowLog : public DeletionLog {
 public:
  using DeletionLog::DeletionLog;
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    has_begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    DeletionLog::OnCommit(changes, nullptr);
  }
  std::atomic<bool> has_begun{false};
};

// A clock that calls `hook` once, when the time is next read.
class ClockWithAHook : public Clock {
 public:
  std::int64_t NowEpochMs() const override {
    if (hook) std::exchange(hook, nullptr)();
    return kStartS * 1000;
  }
  mutable std::function<void()> hook;
};

TEST(TimeToLiveSweeper, ATableWithLittleWorkDoesNotWaitForOneWithMuch) {
  constexpr int kMuch = 200'000;  // more items than the sweeper deletes in one turn
  ClockWithAHook clock;
  Engine engine(clock);
  DeletionLog log(engine);
  TimeToLive time_to_live(engine, 0);
  Writer writer(engine);
  engine.catalog().Create(NewQuietTable("big"));
  engine.catalog().Create(NewQuietTable("small"));
  for (int i = 0; i < kMuch; ++i) writer.Put("big", std::to_string(i), "ttl", kStartS - 1);
  writer.Put("small", "a", "ttl", kStartS - 1);
  time_to_live.Watch(*Publish(engine, "big", "ttl"));
  const TableRef small = Publish(engine, "small", "ttl");
  // The small table is added while the sweeper works on the big one.
  clock.hook = [&] { time_to_live.Watch(*small); };
  time_to_live.Sweep();
  EXPECT_EQ(log.keys.size(), kMuch + 1u);
  EXPECT_EQ(std::ranges::count(log.keys, "a"), 1);
  EXPECT_NE(log.keys.back(), "a");
}

TEST(TimeToLiveSweeper, StopsInTheMiddleOfMuchWork) {
  ManualClock clock(kStartS * 1000);
  Engine engine(clock);
  SlowLog log(engine);
  auto time_to_live = std::make_unique<TimeToLive>(engine, 1);
  Writer writer(engine);
  engine.catalog().Create(NewQuietTable("app"));
  for (int i = 0; i < 5000; ++i) writer.Put("app", std::to_string(i), "ttl", kStartS - 1);
  const TableRef table = Publish(engine, "app", "ttl");
  time_to_live->Watch(*table);
  EXPECT_TRUE(Eventually([&] { return log.has_begun.load(); }));
  time_to_live.reset();
  EXPECT_GT(engine.StatisticsOf(*table, nullptr).item_count, 0);
  EXPECT_FALSE(log.keys.empty());
}

// Items that are never deleted, as they expired more than five years ago, do not stand before those
// that are due.
TEST_F(TimeToLiveTest, ItemsOfLongAgoStayAndOthersAreDeleted) {
  constexpr int kItems = 100;
  Enable();
  for (int i = 0; i < kItems; ++i) {
    writer_.Put("app", "old#" + std::to_string(i), "ttl", kStartS - 6 * 365 * 86'400);
    writer_.Put("app", "due#" + std::to_string(i), "ttl", kStartS - 5 * 365 * 86'400 + 60);
  }
  time_to_live_.Sweep();
  EXPECT_EQ(ItemCount(), kItems);
  EXPECT_TRUE(writer_.Has("app", "old#7"));
  EXPECT_FALSE(writer_.Has("app", "due#7"));
}

}  // namespace
}  // namespace hashrange::test
