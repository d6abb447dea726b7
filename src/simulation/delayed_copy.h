// DelayedCopy: the past of one table. It is made of the table as it is, copied on write, with the
// changes undone that it is not to have yet, and is brought up to date when somebody reads it.
//
//   commits ── Append ──▶ DelayedChanges ── those that are due ──▶ the copy ◀── readers
//
//   made     the first time it is read, and again when it has missed a change or the table's
//            indexes are others: the table is pinned, and each item that has changes waiting
//            is put back to what it was before the first of them. A change is in the queue
//            before it is in the table, so what is pinned has none that the queue had not.
//   missed   when nobody reads and too much waits, changes are let go: memory stays bounded
//            with no thread to look after it.
//
// Thread-safe. Two locks: `advancing_` is held by the reader who brings the copy up to date,
// and locks partitions within; `mutex_` is innermost, as a commit takes it.
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

  // What is delayed from now on; by nothing, and there is no past any more.
  void SetDelays(const DelayRange& delays);
  DelayRange delays() const;
  void Seed(std::uint64_t seed);

  // A change of the table, from inside its commit.
  void Append(const Change& change);

  // The table's past as of now; null when it has none, or is no longer in the catalog.
  // Cost: a commit for each change that has become due.
  TableRef Advance(const TableVersion& table);

  // How many changes the past has not seen.
  std::size_t waiting() const;

 private:
  using Indexes = std::vector<std::pair<std::uint32_t, ResourceStatus>>;

  // These with `advancing_` held.
  bool IsUsableFor(const TableVersion& table);
  TableRef MakeCopy(const TableVersion& table);  // null: the table is gone
  void UndoWaiting(const TableVersion& copy);
  void ApplyDue(const TableVersion& copy);
  void ReplaceItem(const TableVersion& copy, const Item& key, const ItemRef& item);
  std::optional<DelayedChanges::Waiting> TakeDue();

  Engine& engine_;
  std::mutex advancing_;      // taken before `mutex_`; guards what follows
  TableRef copy_;             // null: it is to be made
  Indexes indexes_;           // those of the table that the copy was made of
  std::uint64_t number_ = 0;  // the latest version of the table that has them
  Arena arena_{4 << 10};

  mutable std::mutex mutex_;  // guards what follows
  DelayedChanges waiting_;
  bool has_missed_ = false;  // since the copy was last made
};

}  // namespace hashrange
