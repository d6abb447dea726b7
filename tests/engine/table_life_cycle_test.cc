#include "engine/table_life_cycle.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/engine_fixture.h"

namespace hashrange::test {
namespace {

using enum IndexPhase;
using enum IndexEvent;

constexpr std::int64_t kEndMs = 5000;

TEST(IndexLifeCycle, EveryPhaseAndEvent) {
  constexpr struct {
    IndexPhase from, phase_ends, fills, update, removal;
  } kRows[] = {
      {kAllocating, kBackfilling, kAllocatingFilled, kAllocating, kDeleting},
      {kAllocatingFilled, kBackfilled, kAllocatingFilled, kAllocatingFilled, kDeleting},
      {kBackfilling, kBackfilling, kBackfilled, kBackfilling, kDeletingUnfilled},
      {kBackfilled, kActive, kBackfilled, kBackfilled, kDeletingUnfilled},
      {kActive, kActive, kActive, kUpdating, kDeleting},
      {kUpdating, kActive, kUpdating, kUpdating, kDeleting},
      {kDeleting, kDeleting, kDeleting, kDeleting, kDeleting},
      {kDeletingUnfilled, kDeletingUnfilled, kDeletingUnfilled, kDeletingUnfilled,
       kDeletingUnfilled},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(static_cast<int>(row.from));
    EXPECT_EQ(PhaseAfter(row.from, kPhaseEnds), row.phase_ends);
    EXPECT_EQ(PhaseAfter(row.from, kFills), row.fills);
    EXPECT_EQ(PhaseAfter(row.from, kUpdate), row.update);
    EXPECT_EQ(PhaseAfter(row.from, kRemoval), row.removal);
  }
}

TEST(IndexLifeCycle, StatusOfEveryPhase) {
  const std::map<IndexPhase, ResourceStatus> kStatuses = {
      {kAllocating, ResourceStatus::kCreating},  {kAllocatingFilled, ResourceStatus::kCreating},
      {kBackfilling, ResourceStatus::kCreating}, {kBackfilled, ResourceStatus::kCreating},
      {kActive, ResourceStatus::kActive},        {kUpdating, ResourceStatus::kUpdating},
      {kDeleting, ResourceStatus::kDeleting},    {kDeletingUnfilled, ResourceStatus::kDeleting}};
  for (const auto& [phase, status] : kStatuses) {
    IndexVersion index;
    index.phase = phase;
    EXPECT_EQ(index.status(), status) << static_cast<int>(phase);
  }
}

class TableLifeCycle : public testing::Test {
 protected:
  using Version = std::unique_ptr<TableVersion>;

  // A change that takes until kEndMs and protects the table, and has an index "g" in `phase`
  // meanwhile.
  static Version Change(const TableVersion& table, IndexPhase phase) {
    TableChange change{std::make_unique<TableVersion>(table), std::make_unique<TableVersion>(table),
                       /*takes_time=*/true, /*is_updating=*/true, kEndMs};
    change.after->settings.deletion_protection = true;
    for (TableVersion* version : {change.during.get(), change.after.get()}) {
      version->indexes.push_back(GlobalIndex("g", KeysOf("a")));
      version->indexes[0].id = 7;
    }
    change.during->indexes[0].phase = phase;
    return VersionAfter(table, std::move(change));
  }

  const Version table_ = NewTable("t", KeysOf("pk"));
};

TEST_F(TableLifeCycle, ACreationPasses) {
  const Version creating = VersionAfter(*table_, TableCreation{kEndMs});
  EXPECT_EQ(creating->status(), ResourceStatus::kCreating);
  EXPECT_EQ(creating->phase.ends_epoch_ms, kEndMs);
  const Version active = VersionAfter(*creating, PhaseEnd{});
  EXPECT_EQ(active->status(), ResourceStatus::kActive);
  EXPECT_EQ(active->phase.ends_epoch_ms, kNeverEnds);
}

TEST_F(TableLifeCycle, ACreationThatTakesNoTimeIsOver) {
  const Version active = VersionAfter(*table_, TableCreation{});
  EXPECT_EQ(active->status(), ResourceStatus::kActive);
  EXPECT_EQ(active->phase.ends_epoch_ms, kNeverEnds);
}

TEST_F(TableLifeCycle, ADeletedTableIsDropped) {
  EXPECT_EQ(VersionAfter(*table_, TableDeletion{}), nullptr);
  const Version deleting = VersionAfter(*table_, TableDeletion{kEndMs});
  EXPECT_EQ(deleting->status(), ResourceStatus::kDeleting);
  EXPECT_EQ(deleting->phase.ends_epoch_ms, kEndMs);
  EXPECT_EQ(VersionAfter(*deleting, PhaseEnd{}), nullptr);
}

TEST_F(TableLifeCycle, AChangeDescribesTheTableUntilItEnds) {
  const Version updating = Change(*table_, kUpdating);
  EXPECT_EQ(updating->status(), ResourceStatus::kUpdating);
  EXPECT_EQ(updating->phase.ends_epoch_ms, kEndMs);
  EXPECT_FALSE(updating->settings.deletion_protection);
  EXPECT_TRUE(updating->AfterPhase().settings.deletion_protection);
  const Version active = VersionAfter(*updating, PhaseEnd{1000});
  EXPECT_EQ(active->status(), ResourceStatus::kActive);
  EXPECT_EQ(active->indexes[0].phase, kActive);
  EXPECT_TRUE(active->settings.deletion_protection);
  EXPECT_EQ(active->phase.ends_epoch_ms, kNeverEnds);
  EXPECT_FALSE(active->phase.next);
}

TEST_F(TableLifeCycle, AChangeThatTakesNoTimeNeverEndsByItself) {
  TableChange change{std::make_unique<TableVersion>(*table_),
                     std::make_unique<TableVersion>(*table_), /*takes_time=*/false};
  change.after->settings.deletion_protection = true;
  const Version described = VersionAfter(*table_, std::move(change));
  EXPECT_EQ(described->phase.ends_epoch_ms, kNeverEnds);
  EXPECT_TRUE(VersionAfter(*described, PhaseEnd{})->settings.deletion_protection);
}

TEST_F(TableLifeCycle, AChangeDoesNotShortenThePhaseUnderWay) {
  const Version updating = Change(*table_, kUpdating);
  for (const bool takes_time : {false, true}) {
    TableChange change{std::make_unique<TableVersion>(*updating),
                       std::make_unique<TableVersion>(updating->AfterPhase()), takes_time, false,
                       kEndMs - 1000};
    const Version both = VersionAfter(*updating, std::move(change));
    EXPECT_EQ(both->status(), ResourceStatus::kUpdating);
    EXPECT_EQ(both->phase.ends_epoch_ms, kEndMs);
  }
}

TEST_F(TableLifeCycle, AnAddedIndexHasTwoPhasesAndIsWaitedFor) {
  const Version allocating = Change(*table_, kAllocating);
  const Version backfilling = VersionAfter(*allocating, PhaseEnd{1000});
  EXPECT_EQ(backfilling->status(), ResourceStatus::kActive);
  EXPECT_EQ(backfilling->indexes[0].phase, kBackfilling);
  EXPECT_EQ(backfilling->phase.ends_epoch_ms, kEndMs + 1000);
  EXPECT_TRUE(backfilling->settings.deletion_protection);
  // The second phase is over, the index is not filled: no time is known at which it will be.
  const Version waiting = VersionAfter(*backfilling, PhaseEnd{1000});
  EXPECT_EQ(waiting->indexes[0].phase, kBackfilling);
  EXPECT_EQ(waiting->phase.ends_epoch_ms, kNeverEnds);
  const Version filled = VersionAfter(*waiting, IndexFill{7});
  EXPECT_EQ(filled->indexes[0].phase, kBackfilled);
  EXPECT_EQ(filled->phase.ends_epoch_ms, 0);
  const Version active = VersionAfter(*filled, PhaseEnd{1000});
  EXPECT_EQ(active->indexes[0].phase, kActive);
  EXPECT_EQ(active->phase.ends_epoch_ms, kNeverEnds);
}

TEST_F(TableLifeCycle, AnIndexThatIsFilledEarlyWaitsForItsPhases) {
  const Version filled = VersionAfter(*Change(*table_, kAllocating), IndexFill{7});
  EXPECT_EQ(filled->indexes[0].phase, kAllocatingFilled);
  EXPECT_EQ(filled->phase.ends_epoch_ms, kEndMs);
  const Version backfilled = VersionAfter(*filled, PhaseEnd{1000});
  EXPECT_EQ(backfilled->indexes[0].phase, kBackfilled);
  EXPECT_EQ(backfilled->phase.ends_epoch_ms, kEndMs + 1000);
  EXPECT_EQ(VersionAfter(*backfilled, PhaseEnd{1000})->indexes[0].phase, kActive);
}

TEST_F(TableLifeCycle, AHeldStatusStaysUntilItIsReleased) {
  const Version held = VersionAfter(*table_, StatusHold{{}, ResourceStatus::kUpdating});
  EXPECT_EQ(held->status(), ResourceStatus::kUpdating);
  EXPECT_TRUE(IsHeld(*held));
  EXPECT_TRUE(IsInTransition(*held));
  const Version released = VersionAfter(*held, StatusHold{});
  EXPECT_FALSE(IsHeld(*released));
  EXPECT_EQ(released->phase.ends_epoch_ms, 0);
  EXPECT_FALSE(IsInTransition(*VersionAfter(*released, PhaseEnd{})));
}

// The change would have been done while the status was held: it counts from the release on.
TEST_F(TableLifeCycle, AChangeOfThroughputThatWasHeldIsDatedAtTheRelease) {
  constexpr std::int64_t kReleaseMs = 90'000;
  TableChange change{std::make_unique<TableVersion>(*table_),
                     std::make_unique<TableVersion>(*table_), true, true, kEndMs};
  change.after->settings.throughput = {5, 5};
  const Version updating = VersionAfter(*table_, std::move(change));
  const Version held = VersionAfter(*updating, StatusHold{{}, ResourceStatus::kUpdating});
  const Version released = VersionAfter(*held, StatusHold{});
  const Version active = VersionAfter(*released, PhaseEnd{1000, kReleaseMs});
  EXPECT_EQ(active->settings.throughput.read_units, 5);
  EXPECT_EQ(active->settings.throughput_history.last_increase_epoch_ms, kReleaseMs);
}

TEST_F(TableLifeCycle, AnIndexThatIsHeldInCreatingIsWaitedForByNobody) {
  table_->indexes.push_back(GlobalIndex("g", KeysOf("a")));
  const Version held = VersionAfter(*table_, StatusHold{"g", ResourceStatus::kCreating});
  EXPECT_EQ(held->status(), ResourceStatus::kActive);
  EXPECT_EQ(held->indexes[0].phase, kBackfilled);
  EXPECT_TRUE(IsHeld(*held));
  const Version released = VersionAfter(*held, StatusHold{"g", ResourceStatus::kActive});
  EXPECT_EQ(released->phase.ends_epoch_ms, 0);
  EXPECT_EQ(VersionAfter(*released, PhaseEnd{})->indexes[0].phase, kActive);
}

TEST_F(TableLifeCycle, AFrozenCopyKeepsItsStatusAndNeverChanges) {
  const Version frozen = VersionAfter(*Change(*table_, kAllocating), Freeze{});
  EXPECT_EQ(frozen->status(), ResourceStatus::kUpdating);
  EXPECT_EQ(frozen->phase.ends_epoch_ms, kNeverEnds);
  EXPECT_FALSE(frozen->phase.next);
}

TEST_F(TableLifeCycle, AnEditReachesWhatTheTableBecomes) {
  const Version updating = Change(*table_, kUpdating);
  EditWithNextPhase(updating.get(), [](TableVersion* each) { each->name = "renamed"; });
  EXPECT_EQ(updating->name, "renamed");
  EXPECT_EQ(updating->AfterPhase().name, "renamed");
}

}  // namespace
}  // namespace hashrange::test
