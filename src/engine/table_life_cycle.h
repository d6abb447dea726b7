// The life cycle of a table and of its indexes: which phase follows which
// (docs/service/03-tables-and-indexes.md, section 4; 13-update-table-and-gsi-lifecycle.md,
// section 6).
//
//   CreateTable   CREATING ──▶ ACTIVE
//   UpdateTable   ACTIVE ──▶ UPDATING ──▶ ACTIVE, with what was asked for
//   DeleteTable   ACTIVE ──▶ DELETING ──▶ dropped
//
// An index that is added to a table is CREATING during two phases of the table. The second of them
// lasts until the index is filled:
//
//   table   ACTIVE ──▶ UPDATING ──▶ ACTIVE            ACTIVE
//   index              CREATING     CREATING    ──▶   ACTIVE
//                                   Backfilling
//
// Only the functions declared here write TableVersion::phase of a version that is to be published,
// and decide to what the phase of an index changes. They are pure; any thread may call them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/table_version.h"

namespace hashrange {

// What happens to an index.
enum class IndexEvent {
  kPhaseEnds,  // the phase of its table ends
  kFills,      // the last item of the table is visited
  kUpdate,     // a request changes the throughput of the index
  kRemoval,    // a request deletes the index
};

// Returns the phase of an index after the event; `phase` itself when the event changes nothing.
IndexPhase PhaseAfter(IndexPhase phase, IndexEvent event);

// The events of a table.

// The table is created and serves from `ends_epoch_ms` on; nullopt: at once.
struct TableCreation {
  std::optional<std::int64_t> ends_epoch_ms;
};

// A request changes the table. The change is given as two versions that are not published yet:
// `during` describes the table until the phase ends, and then the table becomes `after`.
struct TableChange {
  std::unique_ptr<TableVersion> during;
  std::unique_ptr<TableVersion> after;
  bool takes_time = false;   // whether the table is `during` for a phase
  bool is_updating = false;  // whether the table is UPDATING meanwhile
  // When a change that takes time is done; nullopt: at once. A phase that is under way is not
  // shortened.
  std::optional<std::int64_t> ends_epoch_ms = {};
};

// A request deletes the table, which is dropped at `ends_epoch_ms`; nullopt: at once.
struct TableDeletion {
  std::optional<std::int64_t> ends_epoch_ms;
};

// The phase ends. Indexes that have allocated their resources are described as backfilling for
// `transition_ms` at least. `now_epoch_ms` is the end of a phase whose end was not set in advance.
struct PhaseEnd {
  std::int64_t transition_ms = 0;
  std::int64_t now_epoch_ms = 0;
};

// Every item of the table has been visited for the index.
struct IndexFill {
  std::uint32_t index_id = 0;
};

// The table, or the index named `index` if this name is not empty, is kept in `status` until
// another StatusHold sets kActive.
struct StatusHold {
  std::string_view index;
  ResourceStatus status = ResourceStatus::kActive;
};

// The table is copied. The copy keeps the table's status and has no life cycle of its own.
struct Freeze {};

using TableEvent = std::variant<TableCreation, TableChange, TableDeletion, PhaseEnd, IndexFill,
                                StatusHold, Freeze>;

// Returns the version that follows `table` when `event` happens to it; null: the table is dropped.
// For a change that takes no time, the returned version has a `next` and its phase never ends. The
// caller only describes that version in the answer, and publishes the version that follows it after
// PhaseEnd.
std::unique_ptr<TableVersion> VersionAfter(const TableVersion& table, TableEvent event);

// Returns whether the table, or one of its indexes, is kept in its status by a StatusHold.
bool IsHeld(const TableVersion& table);

// Returns whether the table or one of its indexes has a status other than ACTIVE.
bool IsInTransition(const TableVersion& table);

// Applies `edit(TableVersion*)` to a version that is not published yet, and to what it becomes when
// its phase ends.
template <typename Edit>
void EditWithNextPhase(TableVersion* version, const Edit& edit) {
  edit(version);
  if (!version->phase.next) return;
  auto next = std::make_unique<TableVersion>(*version->phase.next);
  EditWithNextPhase(next.get(), edit);
  version->phase.next = Ref<const TableVersion>::Adopt(next.release());
}

}  // namespace hashrange
