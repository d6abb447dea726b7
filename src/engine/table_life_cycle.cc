#include "engine/table_life_cycle.h"

#include <algorithm>

#include "engine/throughput_history.h"

namespace hashrange {
namespace {

// The end of a phase that is over. No clock shows an earlier time, so the next look-up of the table
// ends the phase even if the clock is set back.
constexpr std::int64_t kHasEnded = 0;

// The end of a phase that is held: a time that is never reached. Unlike kNeverEnds, it makes the
// table behave as during a transition, so that a change of the table is pending until the hold
// ends.
constexpr std::int64_t kHeldEpochMs = kNeverEnds - 1;

std::unique_ptr<TableVersion> CopyOf(const TableVersion& table) {
  return std::make_unique<TableVersion>(table);
}

TableRef ToRef(std::unique_ptr<TableVersion> version) { return TableRef::Adopt(version.release()); }

// Updates the throughput histories in `next` for the end of the phase of `table`, at `end_ms`, when
// the change takes effect. A change that takes no time (kNeverEnds) is in the history already.
void CompleteThroughput(const TableVersion& table, std::int64_t end_ms, TableVersion* next) {
  if (!table.phase.next || table.phase.ends_epoch_ms == kNeverEnds) return;
  CompleteChange(table.settings.throughput, next->settings.throughput, end_ms,
                 &next->settings.throughput_history);
  for (const IndexVersion& index : table.indexes) {
    IndexVersion* const after = next->FindIndex(index.schema.name);
    if (!after) continue;
    CompleteChange(index.throughput, after->throughput, end_ms, &after->throughput_history);
  }
}

// Returns what `table`, whose phase ends while an index needs another phase, becomes after that
// next phase; null: it stays as it is.
TableRef VersionAfterNextPhase(const TableVersion& table, std::int64_t end_ms) {
  if (!table.phase.next) return nullptr;
  auto next = CopyOf(*table.phase.next);
  CompleteThroughput(table, end_ms, next.get());
  return ToRef(std::move(next));
}

// Returns whether the index is CREATING and needs another phase of the table before it is ACTIVE.
bool NeedsAnotherPhase(const IndexVersion& index) {
  return index.status() == ResourceStatus::kCreating && index.phase != IndexPhase::kBackfilled;
}

std::unique_ptr<TableVersion> After(const TableVersion& table, const TableCreation& event) {
  auto next = CopyOf(table);
  if (!event.ends_epoch_ms) return next;
  next->phase.status = ResourceStatus::kCreating;
  next->phase.ends_epoch_ms = *event.ends_epoch_ms;
  return next;
}

std::unique_ptr<TableVersion> After(const TableVersion& table, TableChange& event) {
  event.after->phase = {};
  TablePhase& during = event.during->phase;
  during = table.phase;
  if (event.is_updating) during.status = ResourceStatus::kUpdating;
  during.next = ToRef(std::move(event.after));
  if (event.takes_time && event.ends_epoch_ms) {
    const bool is_passing = table.phase.ends_epoch_ms != kNeverEnds;
    during.ends_epoch_ms = is_passing ? std::max(table.phase.ends_epoch_ms, *event.ends_epoch_ms)
                                      : *event.ends_epoch_ms;
  }
  return std::move(event.during);
}

std::unique_ptr<TableVersion> After(const TableVersion& table, const TableDeletion& event) {
  if (!event.ends_epoch_ms) return nullptr;
  auto next = CopyOf(table);
  next->phase.status = ResourceStatus::kDeleting;
  next->phase.ends_epoch_ms = *event.ends_epoch_ms;
  return next;
}

// An index that needs another phase enters that phase, and the table begins another phase in which
// it waits for the index. Everything else is as in the version that the table becomes.
std::unique_ptr<TableVersion> After(const TableVersion& table, const PhaseEnd& event) {
  if (table.status() == ResourceStatus::kDeleting) return nullptr;
  const bool is_set_in_advance = table.phase.ends_epoch_ms != kHasEnded;
  const std::int64_t end_ms = is_set_in_advance ? table.phase.ends_epoch_ms : event.now_epoch_ms;
  auto next = CopyOf(table.AfterPhase());
  next->phase = {};
  CompleteThroughput(table, end_ms, next.get());
  for (const IndexVersion& index : table.indexes) {
    if (!NeedsAnotherPhase(index)) continue;
    next->FindIndex(index.schema.name)->phase = PhaseAfter(index.phase, IndexEvent::kPhaseEnds);
    next->phase.next = VersionAfterNextPhase(table, end_ms);
    if (index.is_allocating() && event.transition_ms > 0) {
      next->phase.ends_epoch_ms = end_ms + event.transition_ms;
    }
  }
  return next;
}

std::unique_ptr<TableVersion> After(const TableVersion& table, const IndexFill& event) {
  auto next = CopyOf(table);
  for (IndexVersion& index : next->indexes) {
    if (index.id == event.index_id) index.phase = PhaseAfter(index.phase, IndexEvent::kFills);
  }
  if (next->phase.ends_epoch_ms == kNeverEnds) next->phase.ends_epoch_ms = kHasEnded;
  return next;
}

// Returns the phase of an index that is held in `status`. An index that is held in CREATING counts
// as filled, so that no backfill is waited for.
IndexPhase HeldIndexPhase(ResourceStatus status) {
  if (status == ResourceStatus::kCreating) return IndexPhase::kBackfilled;
  if (status == ResourceStatus::kUpdating) return IndexPhase::kUpdating;
  return IndexPhase::kActive;
}

// Returns what the table becomes when its status is no longer held: what it was about to become
// anyway, or else the same table, ACTIVE.
TableRef WithoutHold(const TableVersion& table) {
  if (table.phase.next) return table.phase.next;
  auto next = CopyOf(table);
  next->phase = {};
  return ToRef(std::move(next));
}

std::unique_ptr<TableVersion> After(const TableVersion& table, const StatusHold& event) {
  auto next = CopyOf(table);
  next->phase.next = WithoutHold(table);
  next->phase.ends_epoch_ms = kHeldEpochMs;
  bool is_over = false;
  if (event.index.empty()) {
    next->phase.status = event.status;
    is_over = event.status == ResourceStatus::kActive;
  } else {
    next->FindIndex(event.index)->phase = HeldIndexPhase(event.status);
    is_over = !IsInTransition(*next);
  }
  if (is_over) next->phase.ends_epoch_ms = kHasEnded;
  return next;
}

std::unique_ptr<TableVersion> After(const TableVersion& table, const Freeze&) {
  auto next = CopyOf(table);
  next->phase = {table.status(), kNeverEnds, nullptr};
  return next;
}

}  // namespace

IndexPhase PhaseAfter(IndexPhase phase, IndexEvent event) {
  using enum IndexPhase;
  using enum IndexEvent;
  // An event without a row changes nothing.
  constexpr struct {
    IndexPhase from;
    IndexEvent event;
    IndexPhase to;
  } kRows[] = {
      {kAllocating, kPhaseEnds, kBackfilling},
      {kAllocating, kFills, kAllocatingFilled},
      {kAllocating, kRemoval, kDeleting},
      {kAllocatingFilled, kPhaseEnds, kBackfilled},
      {kAllocatingFilled, kRemoval, kDeleting},
      {kBackfilling, kFills, kBackfilled},
      {kBackfilling, kRemoval, kDeletingUnfilled},
      {kBackfilled, kPhaseEnds, kActive},
      {kBackfilled, kRemoval, kDeletingUnfilled},
      {kActive, kUpdate, kUpdating},
      {kActive, kRemoval, kDeleting},
      {kUpdating, kPhaseEnds, kActive},
      {kUpdating, kRemoval, kDeleting},
  };
  for (const auto& row : kRows) {
    if (row.from == phase && row.event == event) return row.to;
  }
  return phase;
}

std::unique_ptr<TableVersion> VersionAfter(const TableVersion& table, TableEvent event) {
  return std::visit([&table](auto& happening) { return After(table, happening); }, event);
}

bool IsHeld(const TableVersion& table) { return table.phase.ends_epoch_ms == kHeldEpochMs; }

bool IsInTransition(const TableVersion& table) {
  return table.status() != ResourceStatus::kActive ||
         std::ranges::any_of(table.indexes, [](const IndexVersion& index) {
           return index.status() != ResourceStatus::kActive;
         });
}

}  // namespace hashrange
