// DelayedCopy is the past of one table: a copy-on-write copy of the table without the changes that
// are not due yet. Readers bring the copy up to date.
//
//   commits ── Append ──▶ DelayedChanges ── changes that are due ──▶ the copy ◀── readers
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
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/memory/arena.h"
#include "base/random.h"
#include "base/threads.h"
#include "engine/change_log.h"
#include "engine/engine.h"
#include "value/item.h"

namespace hashrange {

// A delay in milliseconds that is drawn anew for each change, both ends included.
struct DelayRange {
  std::int64_t min_ms = 0;
  std::int64_t max_ms = 0;  // 0: nothing is delayed

  bool is_on() const { return max_ms > 0; }
  friend bool operator==(const DelayRange&, const DelayRange&) = default;
};

// A queue of the changes of one table that the table's past does not contain yet, in the order in
// which they are applied to it.
//
//   Add ──▶ waiting, each until its time ──▶ TakeDue
//
// A change is due when a delay, drawn from a range, has passed since the change was made, but never
// before the previous change of its item collection. So the changes of one collection are taken in
// the order in which they were made, and changes of other collections may overtake them.
//
// The queue has a time of its own, which never goes back. When the clock goes back, each waiting
// change waits for as long as if the clock had not gone back.
//
// Not thread-safe.
class DelayedChanges {
 public:
  // When a limit is exceeded (IsOverfull), the owner takes changes before they are due.
  static constexpr std::size_t kMaxChanges = 1'000'000;
  static constexpr std::size_t kMaxBytes = 256 << 20;  // of the items before and after

  struct Waiting {
    std::int64_t due_ms = 0;   // in this queue's time
    std::uint64_t number = 0;  // ascending in the order of Add
    ItemRef before;            // null: inserted
    ItemRef after;             // null: removed

    // Either of the two items, for its key.
    const Item& item() const { return after ? *after : *before; }
  };

  // Sets the delays of the changes that are added from now on.
  void SetDelays(const DelayRange& delays) { delays_ = delays; }
  const DelayRange& delays() const { return delays_; }
  void Seed(std::uint64_t seed) { random_ = Random(seed); }  // 0 in the beginning

  // Adds a change that was made at `now_ms`.
  void Add(const Change& change, std::int64_t now_ms);
  // Removes and returns the next change that is due; nullopt when no change is due.
  std::optional<Waiting> TakeDue(std::int64_t now_ms);
  // Returns whether one of the limits is exceeded.
  bool IsOverfull() const { return heap_.size() > kMaxChanges || size_bytes_ > kMaxBytes; }
  // Removes and returns the next change, due or not. The queue is not empty.
  Waiting TakeNext();

  std::size_t size() const { return heap_.size(); }
  void Clear();
  // Returns the first waiting change of each item that has any. Valid until the queue changes.
  // Cost: O(n log n).
  std::vector<const Waiting*> FirstOfEachItem() const;

 private:
  // An item collection, known by its hash. Collections with the same hash are treated as one.
  struct Collection {
    std::int64_t last_due_ms = 0;
    std::size_t waiting = 0;
  };

  // The queue's time when the clock says `now_ms`.
  std::int64_t QueueTimeAt(std::int64_t now_ms);
  std::int64_t DrawDelay();
  static bool IsAfter(const Waiting& a, const Waiting& b);

  Random random_{0};
  DelayRange delays_;
  std::vector<Waiting> heap_;  // the next change is at the front
  std::size_t size_bytes_ = 0;
  std::unordered_map<std::uint64_t, Collection> collections_;  // by hash; none is without changes
  std::uint64_t next_number_ = 0;
  std::int64_t last_now_ms_ = 0;
  std::int64_t shift_ms_ = 0;  // how far the clock has gone back in all
};

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
  Mutex advancing_;           // taken before `mutex_`; guards what follows
  TableRef copy_;             // null: the next reader makes it
  Indexes indexes_;           // of the table of which the copy was made
  std::uint64_t number_ = 0;  // of the latest version of the table that has these indexes
  Arena arena_{4 << 10};

  mutable Mutex mutex_;  // guards what follows
  DelayedChanges waiting_;
  bool has_missed_ = false;  // since the copy was last made
};

}  // namespace hashrange
