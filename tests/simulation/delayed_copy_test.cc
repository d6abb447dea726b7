// Tests of the queue of changes that a table's past does not contain yet.
#include "simulation/delayed_copy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/items.h"

namespace hashrange {
namespace {

using test::ItemMaker;
using test::KeysOf;

constexpr std::int64_t kQueueStartMs = 1'700'000'000'000;

class DelayedChangesTest : public ::testing::Test {
 protected:
  ItemRef Make(const std::string& pk, const std::string& sk, std::int64_t n) {
    return maker_.Make({{"pk", maker_.Text(pk)}, {"sk", maker_.Text(sk)}, {"n", maker_.N(n)}});
  }
  void Add(ItemRef before, ItemRef after, std::int64_t now_ms) {
    Change change;
    change.before = std::move(before);
    change.after = std::move(after);
    queue_.Add(change, now_ms);
  }
  // Returns the n of the items that are due, in order; "-" for a removed item.
  std::string TakeAllDue(std::int64_t now_ms) {
    std::string taken;
    while (const auto change = queue_.TakeDue(now_ms)) {
      if (!taken.empty()) taken += ' ';
      taken += change->after ? std::to_string(NumberOf(*change->after)) : "-";
    }
    return taken;
  }
  std::int64_t NumberOf(const Item& item) { return test::IntegerOf({maker_.schema(), &item}, "n"); }

  ItemMaker maker_{KeysOf("pk", "sk")};
  DelayedChanges queue_;
};

TEST_F(DelayedChangesTest, ChangeIsDueWhenItsDelayIsOver) {
  queue_.SetDelays({200, 200});
  Add(nullptr, Make("a", "1", 1), kQueueStartMs);
  Add(Make("a", "1", 1), nullptr, kQueueStartMs + 50);
  EXPECT_EQ(queue_.size(), 2u);
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 199), "");
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 200), "1");
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 249), "");
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 250), "-");
  EXPECT_EQ(queue_.size(), 0u);
}

TEST_F(DelayedChangesTest, CollectionKeepsItsOrderAndOthersOvertake) {
  queue_.SetDelays({500, 500});
  Add(nullptr, Make("a", "1", 1), kQueueStartMs);
  queue_.SetDelays({10, 10});
  Add(nullptr, Make("a", "2", 2), kQueueStartMs);
  Add(nullptr, Make("b", "1", 3), kQueueStartMs);
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 499), "3");
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 500), "1 2");
  // No change of the collection waits any more, so a new change is not held up.
  Add(nullptr, Make("a", "3", 4), kQueueStartMs + 500);
  EXPECT_EQ(TakeAllDue(kQueueStartMs + 510), "4");
}

TEST_F(DelayedChangesTest, DelaysAreDrawnFromTheWholeRangeAndReplay) {
  queue_.SetDelays({3, 7});
  DelayedChanges replay;
  replay.SetDelays({3, 7});
  std::vector<int> drawn(12);
  for (int i = 0; i < 1000; ++i) {
    Change change;
    change.after = Make("a" + std::to_string(i), "1", i);
    queue_.Add(change, 0);
    replay.Add(change, 0);
  }
  for (int ms = 0; ms < 12; ++ms) {
    while (const auto change = queue_.TakeDue(ms)) {
      ++drawn[static_cast<std::size_t>(ms)];
      const auto same = replay.TakeDue(ms);
      ASSERT_TRUE(same);
      EXPECT_EQ(same->after, change->after);
    }
  }
  for (int ms = 0; ms < 12; ++ms) {
    EXPECT_EQ(drawn[static_cast<std::size_t>(ms)] > 100, ms >= 3 && ms <= 7) << ms;
  }
  EXPECT_EQ(queue_.size(), 0u);
}

TEST_F(DelayedChangesTest, ClockThatGoesBackDoesNotHoldUpWhatWaits) {
  queue_.SetDelays({100, 100});
  Add(nullptr, Make("a", "1", 1), kQueueStartMs);
  const std::int64_t back_ms = kQueueStartMs - 1'000'000;
  EXPECT_EQ(TakeAllDue(back_ms), "");
  Add(nullptr, Make("b", "1", 2), back_ms + 50);
  EXPECT_EQ(TakeAllDue(back_ms + 99), "");
  EXPECT_EQ(TakeAllDue(back_ms + 100), "1");
  EXPECT_EQ(TakeAllDue(back_ms + 149), "");
  EXPECT_EQ(TakeAllDue(back_ms + 150), "2");
}

TEST_F(DelayedChangesTest, FirstOfEachItemIsTheOldestOfItsKey) {
  queue_.SetDelays({100, 100});
  const ItemRef one = Make("a", "1", 1), two = Make("a", "1", 2), other = Make("a", "2", 9);
  Add(one, two, kQueueStartMs);
  Add(nullptr, other, kQueueStartMs);
  Add(two, nullptr, kQueueStartMs);
  Add(nullptr, one, kQueueStartMs);
  const auto firsts = queue_.FirstOfEachItem();
  ASSERT_EQ(firsts.size(), 2u);
  EXPECT_EQ(firsts[0]->before, one);
  EXPECT_EQ(firsts[0]->number, 0u);
  EXPECT_EQ(firsts[1]->before, nullptr);
  EXPECT_EQ(firsts[1]->after, other);
}

TEST_F(DelayedChangesTest, OverfullByNumberOrByBytes) {
  queue_.SetDelays({100, 100});
  EXPECT_FALSE(queue_.IsOverfull());
  const std::string large(300'000, 'x');
  const ItemRef item =
      maker_.Make({{"pk", test::S("a")}, {"sk", test::S("1")}, {"v", test::S(large)}});
  std::size_t added = 0;
  for (; !queue_.IsOverfull(); ++added) Add(item, item, kQueueStartMs);
  EXPECT_EQ(added, DelayedChanges::kMaxBytes / (2 * item->size_bytes()) + 1);
  EXPECT_EQ(queue_.TakeNext().number, 0u);
  EXPECT_FALSE(queue_.IsOverfull());
  queue_.Clear();
  EXPECT_EQ(queue_.size(), 0u);
  const ItemRef small = Make("a", "1", 1);
  for (std::size_t i = 0; i < DelayedChanges::kMaxChanges; ++i) Add(nullptr, small, kQueueStartMs);
  EXPECT_FALSE(queue_.IsOverfull());
  Add(nullptr, small, kQueueStartMs);
  EXPECT_TRUE(queue_.IsOverfull());
}

}  // namespace
}  // namespace hashrange
