// Engine::Commit and Engine::Read, case by case; engine_model_test.cc runs many random commits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/engine_fixture.h"

namespace hashrange::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Recorder : public ChangeObserver {
 public:
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    commits.emplace_back(changes.begin(), changes.end());
  }
  std::vector<std::vector<Change>> commits;
};

class CommitTest : public ::testing::Test {
 protected:
  CommitTest() { engine_.AddObserver(recorder_); }

  ItemRef Make(std::string_view pk, std::string_view v) {
    return maker_.Make({{"pk", S(pk)}, {"v", S(v)}});
  }
  ItemRef Stored(const ItemRef& like) { return ReadOne(engine_, *table_, PositionOf(*like)); }

  const ManualClock clock_{1234};
  Engine engine_{clock_};
  Recorder recorder_;
  ItemMaker maker_{KeysOf("pk")};
  TableRef table_ =
      engine_.catalog().Create(NewTable("t", KeysOf("pk"), {GlobalIndex("by-v", KeysOf("v"))}));
  const IndexVersion* by_v_ = table_->FindIndex("by-v");
  Arena arena_;
};

TEST_F(CommitTest, APutInsertsAndThenReplaces) {
  const ItemRef first = Make("a", "1");
  const auto inserted = Put(engine_, *table_, first);
  EXPECT_EQ(inserted.result, CommitResult::kCommitted);
  EXPECT_EQ(inserted.outcome.before, nullptr);
  EXPECT_EQ(inserted.outcome.after, first);
  EXPECT_EQ(Stored(first), first);

  const ItemRef second = Make("a", "2");
  const auto replaced = Put(engine_, *table_, second);
  EXPECT_EQ(replaced.outcome.before, first);
  EXPECT_EQ(replaced.outcome.after, second);
  EXPECT_EQ(Stored(first), second);
  EXPECT_THAT(RangeAll(engine_, *table_, by_v_), ElementsAre(second));
}

TEST_F(CommitTest, TheFunctionSeesTheItemBefore) {
  const ItemRef first = Make("a", "1");
  std::vector<const Item*> seen;
  const auto function = [&](ItemView before) {
    seen.push_back(before.item());
    return Decision::Put(first);
  };
  CommitOne(engine_, *table_, PositionOf(*first), function);
  CommitOne(engine_, *table_, PositionOf(*first), function);
  EXPECT_THAT(seen, ElementsAre(nullptr, first.get()));
}

TEST_F(CommitTest, ARefusalChangesNothingAndShowsTheItem) {
  const ItemRef first = Make("a", "1");
  Put(engine_, *table_, first);
  const auto refused = CommitOne(engine_, *table_, PositionOf(*first),
                                 [](ItemView) { return Decision::Refuse(ValidationError("no")); });
  EXPECT_EQ(refused.result, CommitResult::kRefused);
  EXPECT_EQ(refused.outcome.before, first);
  EXPECT_EQ(refused.outcome.after, nullptr);
  ASSERT_TRUE(refused.outcome.error.has_value());
  EXPECT_EQ(refused.outcome.error->message, "no");
  EXPECT_EQ(Stored(first), first);
}

TEST_F(CommitTest, EveryFunctionRunsThoughOneRefuses) {
  const ItemRef a = Make("a", "1");
  const ItemRef b = Make("b", "1");
  const ItemRef c = Make("c", "1");
  Put(engine_, *table_, a);
  recorder_.commits.clear();
  int runs = 0;
  const auto put_b = [&](ItemView) { return ++runs, Decision::Put(b); };
  const auto refuse = [&](ItemView) { return ++runs, Decision::Refuse(ValidationError("x")); };
  const auto erase = [&](ItemView) { return ++runs, Decision::Erase(); };
  const std::vector<ItemWrite> writes = {{{table_.get(), PositionOf(*b)}, put_b},
                                         {{table_.get(), PositionOf(*c)}, refuse},
                                         {{table_.get(), PositionOf(*a)}, erase}};
  std::vector<WriteOutcome> outcomes(3);
  EXPECT_EQ(engine_.Commit(writes, outcomes, arena_), CommitResult::kRefused);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(Stored(a), a);
  EXPECT_EQ(Stored(b), nullptr);
  EXPECT_EQ(outcomes[0].after, nullptr);
  EXPECT_FALSE(outcomes[0].error.has_value());
  EXPECT_TRUE(outcomes[1].error.has_value());
  EXPECT_EQ(outcomes[2].before, a);
  EXPECT_EQ(outcomes[2].after, nullptr);
  EXPECT_THAT(recorder_.commits, IsEmpty());
}

TEST_F(CommitTest, WhatStaysTheSameIsNoChange) {
  const ItemRef a = Make("a", "1");
  const ItemRef same = Make("a", "1");
  Put(engine_, *table_, a);
  recorder_.commits.clear();
  const auto kept =
      CommitOne(engine_, *table_, PositionOf(*a), [](ItemView) { return Decision::Keep(); });
  EXPECT_EQ(kept.outcome.after, a);
  EXPECT_EQ(kept.outcome.before, a);
  const auto put = Put(engine_, *table_, same);
  EXPECT_EQ(put.result, CommitResult::kCommitted);
  EXPECT_EQ(put.outcome.before, a);
  EXPECT_EQ(put.outcome.after, same);
  EXPECT_EQ(Stored(a), a);
  EXPECT_THAT(RangeAll(engine_, *table_, by_v_), ElementsAre(a));
  const auto erased = Erase(engine_, *table_, PositionOf(*Make("b", "1")));
  EXPECT_EQ(erased.result, CommitResult::kCommitted);
  EXPECT_EQ(erased.outcome.before, nullptr);
  EXPECT_THAT(recorder_.commits, IsEmpty());
}

TEST_F(CommitTest, TheLogHasTheChangesOfACommitInItsOrder) {
  const ItemRef a1 = Make("a", "1");
  const ItemRef a2 = Make("a", "2");
  const ItemRef b = Make("b", "1");
  const ItemRef c = Make("c", "1");
  Put(engine_, *table_, a1);
  Put(engine_, *table_, c);
  recorder_.commits.clear();
  const auto put_b = [&](ItemView) { return Decision::Put(b); };
  const auto keep = [&](ItemView) { return Decision::Keep(); };
  const auto put_a = [&](ItemView) { return Decision::Put(a2); };
  const std::vector<ItemWrite> writes = {{{table_.get(), PositionOf(*b)}, put_b},
                                         {{table_.get(), PositionOf(*c)}, keep},
                                         {{table_.get(), PositionOf(*a1)}, put_a}};
  std::vector<WriteOutcome> outcomes(3);
  ASSERT_EQ(engine_.Commit(writes, outcomes, arena_), CommitResult::kCommitted);
  ASSERT_EQ(recorder_.commits.size(), 1u);
  const std::vector<Change>& changes = recorder_.commits[0];
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].before, nullptr);
  EXPECT_EQ(changes[0].after, b);
  EXPECT_EQ(changes[1].before, a1);
  EXPECT_EQ(changes[1].after, a2);
  EXPECT_EQ(changes[0].table, table_.get());
  EXPECT_EQ(changes[0].epoch_ms, 1234);
  EXPECT_EQ(changes[1].sequence_number, changes[0].sequence_number + 1);
}

TEST_F(CommitTest, AStaleVersionRunsNothing) {
  const TableRef next = engine_.catalog().Publish(table_, std::make_unique<TableVersion>(*table_));
  const ItemRef a = Make("a", "1");
  bool ran = false;
  const auto stale = CommitOne(engine_, *table_, PositionOf(*a), [&](ItemView) {
    ran = true;
    return Decision::Put(a);
  });
  EXPECT_EQ(stale.result, CommitResult::kStale);
  EXPECT_FALSE(ran);
  EXPECT_EQ(stale.outcome.after, nullptr);
  EXPECT_EQ(Put(engine_, *next, a).result, CommitResult::kCommitted);
}

TEST_F(CommitTest, OneStaleTableMakesTheWholeCommitStale) {
  const TableRef other = engine_.catalog().Create(NewTable("u", KeysOf("pk")));
  engine_.catalog().Publish(table_, std::make_unique<TableVersion>(*table_));
  const ItemRef a = Make("a", "1");
  const auto put = [&](ItemView) { return Decision::Put(a); };
  const std::vector<ItemWrite> writes = {{{other.get(), PositionOf(*a)}, put},
                                         {{table_.get(), PositionOf(*a)}, put}};
  std::vector<WriteOutcome> outcomes(2);
  EXPECT_EQ(engine_.Commit(writes, outcomes, arena_), CommitResult::kStale);
  EXPECT_EQ(ReadOne(engine_, *other, PositionOf(*a)), nullptr);
}

TEST_F(CommitTest, OldOutcomesAreOverwritten) {
  const ItemRef a = Make("a", "1");
  WriteOutcome outcome{a, a, ValidationError("old")};
  const auto keep = [](ItemView) { return Decision::Keep(); };
  const ItemWrite write{{table_.get(), PositionOf(*a)}, keep};
  EXPECT_EQ(engine_.Commit({&write, 1}, {&outcome, 1}, arena_), CommitResult::kCommitted);
  EXPECT_EQ(outcome.before, nullptr);
  EXPECT_EQ(outcome.after, nullptr);
  EXPECT_FALSE(outcome.error.has_value());
}

TEST_F(CommitTest, ReadAnswersInTheOrderAsked) {
  std::vector<ItemRef> expected;
  std::vector<ItemAddress> addresses;
  std::vector<ItemRef> made;
  for (int i = 0; i < 100; ++i) {
    made.push_back(Make(std::to_string(i), "v"));
    if (i % 3 != 0) Put(engine_, *table_, made[i]);
    addresses.push_back({table_.get(), PositionOf(*made[i])});
    expected.push_back(i % 3 != 0 ? made[i] : nullptr);
  }
  std::vector<ItemRef> items(100, made[0]);
  engine_.Read(addresses, items);
  EXPECT_EQ(items, expected);
}

TEST_F(CommitTest, AnEmptyTableIsReadWithoutMakingPartitions) {
  const ItemRef a = Make("a", "1");
  const ItemRef b = Make("b", "1");
  const std::vector<ItemAddress> addresses = {{table_.get(), PositionOf(*a)},
                                              {table_.get(), PositionOf(*b)}};
  std::vector<ItemRef> items(2, a);
  engine_.Read(addresses, items);
  EXPECT_THAT(items, ElementsAre(nullptr, nullptr));
  EXPECT_THAT(RangeAll(engine_, *table_, nullptr), IsEmpty());
  EXPECT_THAT(RangeAll(engine_, *table_, by_v_), IsEmpty());
  EXPECT_EQ(engine_.StatisticsOf(*table_, nullptr), TableStatistics{});
  for (int i = 0; i < PartitionSet::kPartitions; ++i) {
    EXPECT_EQ(table_->table->partitions().Find(i), nullptr);
  }
}

TEST_F(CommitTest, StatisticsCountItemsAndProjectedSizes) {
  const ItemRef a = Make("a", "12345");
  const ItemRef b = maker_.Make({{"pk", S("b")}, {"x", S("1")}});
  Put(engine_, *table_, a);
  Put(engine_, *table_, b);
  EXPECT_EQ(engine_.StatisticsOf(*table_, nullptr),
            (TableStatistics{2, a->size_bytes() + b->size_bytes()}));
  EXPECT_EQ(engine_.StatisticsOf(*table_, by_v_), (TableStatistics{1, a->size_bytes()}));
  Put(engine_, *table_, Make("a", "1"));
  EXPECT_EQ(engine_.StatisticsOf(*table_, by_v_), (TableStatistics{1, a->size_bytes() - 4}));
  Erase(engine_, *table_, PositionOf(*a));
  EXPECT_EQ(engine_.StatisticsOf(*table_, by_v_), TableStatistics{});
  EXPECT_EQ(engine_.StatisticsOf(*table_, nullptr), (TableStatistics{1, b->size_bytes()}));
}

// A commit that keeps an item adds its entry to an index that is being filled, and is not logged.
TEST_F(CommitTest, WritesAndKeepsEnterAnIndexThatFills) {
  const ItemRef a = Make("a", "1");
  const ItemRef b = Make("b", "1");
  const ItemRef c = Make("c", "1");
  const ItemRef d = Make("d", "1");
  for (const ItemRef& item : {a, b, c, d}) Put(engine_, *table_, item);
  const auto add_index = [](TableVersion* next) {
    next->indexes.push_back(GlobalIndex("filling", KeysOf("v")));
    next->indexes.back().phase = IndexPhase::kAllocating;
  };
  const TableRef filling = PublishChange(engine_.catalog(), table_, add_index);
  const IndexVersion* const index = filling->FindIndex("filling");
  EXPECT_THAT(RangeAll(engine_, *filling, index), IsEmpty());

  recorder_.commits.clear();
  Put(engine_, *filling, Make("a", "1"));  // the stored item is equal
  EXPECT_THAT(RangeAll(engine_, *filling, index), ElementsAre(a));
  EXPECT_THAT(recorder_.commits, IsEmpty());
  Put(engine_, *filling, Make("b", "2"));  // the index has no entry of the old item
  Erase(engine_, *filling, PositionOf(*c));
  EXPECT_EQ(engine_.StatisticsOf(*filling, index).item_count, 2);
  EXPECT_EQ(recorder_.commits.size(), 2u);
  for (const ItemRef& item : RangeAll(engine_, *filling, nullptr)) {
    CommitOne(engine_, *filling, PositionOf(*item), [](ItemView) { return Decision::Keep(); });
  }
  EXPECT_EQ(recorder_.commits.size(), 2u);
  ExpectExactIndexes(engine_, *filling);
}

TEST_F(CommitTest, OnlyLoggedTablesYieldChanges) {
  auto version = NewTable("silent", KeysOf("pk"));
  version->settings.stream.reset();
  const TableRef silent = engine_.catalog().Create(std::move(version));
  const ItemRef a = Make("a", "1");
  Put(engine_, *silent, a);
  EXPECT_THAT(recorder_.commits, IsEmpty());

  const ItemRef b = Make("b", "1");
  const auto put_a = [&](ItemView) { return Decision::Put(Make("a", "2")); };
  const auto put_b = [&](ItemView) { return Decision::Put(b); };
  const ItemWrite writes[] = {{{silent.get(), PositionOf(*a)}, put_a},
                              {{table_.get(), PositionOf(*b)}, put_b, WriteOrigin::kTimeToLive}};
  WriteOutcome outcomes[2];
  EXPECT_EQ(engine_.Commit(writes, outcomes, arena_), CommitResult::kCommitted);
  ASSERT_EQ(recorder_.commits.size(), 1u);
  ASSERT_EQ(recorder_.commits[0].size(), 1u);
  const Change& change = recorder_.commits[0][0];
  EXPECT_EQ(change.table, table_.get());
  EXPECT_EQ(change.after, b);
  EXPECT_EQ(change.origin, WriteOrigin::kTimeToLive);
}

}  // namespace
}  // namespace hashrange::test
