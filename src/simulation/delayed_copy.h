// DelayedCopy is the past of one table: a copy-on-write copy of the table without the changes that
// are not due yet. Readers bring the copy up to date.
//
//   commits ── Append ──▶ DelayedChanges ── those that are due ──▶ the copy ◀── readers
//
// The copy is made when it is read for the first time, and made anew after a change was missed or
// the table's indexes changed: the table is pinned, and each item with waiting changes is put back
// to what it was before the first of these. A change enters the queue before it enters the table,
// so the pinned table contains no change that the queue did not have.
//
// A change is missed when nobody reads and too many changes wait: the queue then drops changes. So
// memory is bounded without a thread of its own. Changes are also missed when there is no memory
// for one more.
//
// Thread-safe. There are two locks. The reader that brings the copy up to date holds `advancing_`,
// and locks partitions while it holds this. `mutex_` is taken last, after the locks of partitions,
// because a commit takes it while it holds these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "engine/engine.h"
#include "simulation/delayed_changes.h"

namespace hashrange {

class DelayedCopy {
 public:
  explicit DelayedCopy(Engine& engine) : engine_(engine) {}

  // Sets the delays of later changes. Without a delay the past is dropped.
  void SetDelays(const DelayRange& delays);
  DelayRange delays() const;
  void Seed(std::uint64_t seed);

  // Queues a change of the table. It is called from inside the commit that makes the change.
  void Append(const Change& change);

  // Returns the table's past as of now; null when nothing is delayed, or the table is no longer in
  // the catalog.
  // Cost: a commit for each change that has become due.
  TableRef Advance(const TableVersion& table);

  // The number of changes that the past does not contain yet.
  std::size_t waiting() const;

 private:
  using Indexes = std::vector<std::pair<std::uint32_t, ResourceStatus>>;

  // These are called with `advancing_` held.
  bool IsUsableFor(const TableVersion& table);
  TableRef MakeCopy(const TableVersion& table);  // null: the table was deleted
  void UndoWaiting(const TableVersion& copy);
  void ApplyDue(const TableVersion& copy);
  void ReplaceItem(const TableVersion& copy, const Item& key, const ItemRef& item);
  std::optional<DelayedChanges::Waiting> TakeDue();

  Engine& engine_;
  std::mutex advancing_;      // taken before `mutex_`; guards what follows
  TableRef copy_;             // null: the next reader makes it
  Indexes indexes_;           // of the table of which the copy was made
  std::uint64_t number_ = 0;  // of the latest version of the table that has these indexes
  Arena arena_{4 << 10};

  mutable std::mutex mutex_;  // guards what follows
  DelayedChanges waiting_;
  bool has_missed_ = false;  // since the copy was last made
};

}  // namespace hashrange
