// One backfill, step by step, with writes between the steps.
#include "engine/backfill/backfill.h"

#include "engine/backfill/backfill_fixture.h"

namespace hashrange::test {
namespace {

class Counter : public ChangeObserver {
 public:
  void OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept override {
    count += changes.size();
  }
  std::size_t count = 0;
};

using BackfillTest = BackfillFixture;

TEST_F(BackfillTest, StepsVisitTheWholeTable) {
  PutItems(20);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  EXPECT_FALSE(backfill.Step(7));
  EXPECT_FALSE(backfill.Step(7));
  EXPECT_FALSE(IsFilled("kinds"));
  EXPECT_TRUE(backfill.Step(7));
  EXPECT_TRUE(IsFilled("kinds"));
  EXPECT_EQ(EntriesOf("kinds"), 13);  // items without a kind have no entry
  ExpectExact();
  EXPECT_TRUE(backfill.Step(7));
}

TEST_F(BackfillTest, AVectorIndexIsFilledWithTheVectorsOfItsLength) {
  PutItems(100);
  AddIndex("vectors");
  FillIndex(engine_, AddressOf("vectors"));
  EXPECT_TRUE(IsFilled("vectors"));
  // A third of the items have no kind, and a fifth of the others have a shorter vector.
  EXPECT_EQ(EntriesOf("vectors"), 53);
  ExpectExact();
}

TEST_F(BackfillTest, ABatchAsLargeAsTheTableIsFollowedByAnEmptyOne) {
  PutItems(6);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  EXPECT_FALSE(backfill.Step(6));
  EXPECT_TRUE(backfill.Step(6));
  ExpectExact();
}

TEST_F(BackfillTest, AnEmptyTableIsFilledAtOnce) {
  AddIndex("kinds");
  FillIndex(engine_, AddressOf("kinds"));
  EXPECT_TRUE(IsFilled("kinds"));
}

TEST_F(BackfillTest, ItemsThatDoNotBelongToTheIndexAreLeftOut) {
  AddIndex("kinds");
  const std::string too_long(kMaxHashKeyBytes + 1, 'x');
  const ValueView kinds[] = {maker_.N(1), S(""), S(too_long)};
  const TableRef without = Republish([](TableVersion* table) { table->indexes.clear(); });
  int i = 0;
  for (const ValueView& kind : kinds) {
    const ItemRef item = maker_.Make({{"pk", maker_.Text(std::to_string(i++))}, {"kind", kind}});
    Put(engine_, *without, item);
  }
  Put(engine_, *without, maker_.Make({{"pk", maker_.Text("fits")}, {"kind", S("k")}}));
  AddIndex("kinds");
  FillIndex(engine_, AddressOf("kinds"));
  EXPECT_EQ(EntriesOf("kinds"), 1);
  ExpectExact();
}

TEST_F(BackfillTest, ABackfillIsNotLogged) {
  Counter log;
  engine_.AddObserver(log);
  PutItems(30);
  EXPECT_EQ(log.count, 30u);
  AddIndex("kinds");
  FillIndex(engine_, AddressOf("kinds"));
  EXPECT_EQ(log.count, 30u);
  EXPECT_EQ(EntriesOf("kinds"), 20);
}

// After each step, items before and behind the position of the backfill are written.
TEST_F(BackfillTest, WritesBetweenTheStepsAreNeitherLostNorDoubled) {
  PutItems(60);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  for (int round = 1; !backfill.Step(5); ++round) {
    const TableRef table = Published();
    for (int i = round; i < 80; i += 3) Put(engine_, *table, Make(maker_, i, round));
    for (int i = round; i < 80; i += 7) {
      Erase(engine_, *table, PositionOf(*Make(maker_, i, 0)));
    }
    ASSERT_LT(round, 100);
  }
  ExpectExact();
}

TEST_F(BackfillTest, AStepContinuesWithTheVersionThatIsPublished) {
  PutItems(10);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  EXPECT_FALSE(backfill.Step(4));
  Republish([](TableVersion* table) { table->settings.deletion_protection = true; });
  EXPECT_FALSE(backfill.Step(4));
  EXPECT_TRUE(backfill.Step(4));
  EXPECT_TRUE(Published()->settings.deletion_protection);
  ExpectExact();
}

TEST_F(BackfillTest, TheTransitionOfTheTableMaySettleAtOnce) {
  AddIndex("waited for");
  FillIndex(engine_, AddressOf("waited for"));
  EXPECT_EQ(Published()->phase.ends_epoch_ms, 0);  // at any time of the clock
}

TEST_F(BackfillTest, ATimeThatWasSetStays) {
  AddIndex("kinds");
  Republish([](TableVersion* table) { table->phase.ends_epoch_ms = kNowMs + 50; });
  FillIndex(engine_, AddressOf("kinds"));
  EXPECT_TRUE(IsFilled("kinds"));
  EXPECT_EQ(Published()->phase.ends_epoch_ms, kNowMs + 50);
}

TEST_F(BackfillTest, AnIndexThatIsDeletedMeanwhileIsLeft) {
  PutItems(10);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  EXPECT_FALSE(backfill.Step(4));
  Republish([](TableVersion* table) { table->indexes[0].phase = IndexPhase::kDeleting; });
  EXPECT_TRUE(backfill.Step(4));
  EXPECT_FALSE(IsFilled("kinds"));
}

TEST_F(BackfillTest, AnotherIndexOfTheSameNameIsLeft) {
  PutItems(10);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  EXPECT_FALSE(backfill.Step(4));
  Republish([](TableVersion* table) { table->indexes.clear(); });
  AddIndex("kinds");
  EXPECT_TRUE(backfill.Step(4));
  EXPECT_FALSE(IsFilled("kinds"));
  EXPECT_EQ(EntriesOf("kinds"), 0);
}

TEST_F(BackfillTest, ATableThatIsRemovedIsFreed) {
  PutItems(10);
  AddIndex("kinds");
  Backfill backfill(engine_, AddressOf("kinds"));
  EXPECT_FALSE(backfill.Step(4));
  const std::weak_ptr<Table> storage = Published()->table;
  engine_.catalog().Remove(Published());
  first_ = nullptr;
  EXPECT_TRUE(storage.expired());
  EXPECT_TRUE(backfill.Step(4));
}

TEST_F(BackfillTest, AnotherTableOfTheSameNameIsLeft) {
  const auto create = [&](const std::string& id) {
    auto version = NewTable("again", KeysOf("pk"), {GlobalIndex("kinds", KeysOf("kind"))});
    version->table_id = id;
    version->indexes[0].phase = IndexPhase::kAllocating;
    return engine_.catalog().Create(std::move(version));
  };
  const TableRef first = create("1");
  for (int i = 0; i < 10; ++i) Put(engine_, *first, Make(maker_, i, 0));
  Backfill backfill(engine_, AddressOf("kinds", "again"));
  EXPECT_FALSE(backfill.Step(4));
  engine_.catalog().Remove(first);
  create("2");
  EXPECT_TRUE(backfill.Step(4));
  EXPECT_TRUE(Published("again")->indexes[0].is_filling());
}

TEST_F(BackfillTest, OnlyAnIndexThatIsBeingCreatedIsFilled) {
  PutItems(3);
  Republish(
      [](TableVersion* table) { table->indexes.push_back(GlobalIndex("active", KeysOf("kind"))); });
  EXPECT_TRUE(Backfill(engine_, AddressOf("active")).Step(1));
  EXPECT_TRUE(Backfill(engine_, AddressOf("none")).Step(1));
  EXPECT_TRUE(Backfill(engine_, AddressOf("active", "none")).Step(1));
  EXPECT_EQ(EntriesOf("active"), 0);
}

}  // namespace
}  // namespace hashrange::test
