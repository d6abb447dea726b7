// DelayedChanges: the changes of one table that its past has not seen yet, in the order in which
// it will see them.
//
//   Add ──▶ waiting, each until its time ──▶ TakeDue
//
// A change's time is when it was made and a delay drawn from a range, but never before that of
// the change before it in its item collection: so the changes of a collection are taken in the
// order in which they were made, and those of other collections may overtake them.
//
// Time here never goes back. When the clock does, what waits goes on waiting for as long as it
// had to.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/random.h"
#include "engine/change_log.h"
#include "value/item.h"

namespace hashrange {

// How long something takes, in milliseconds: drawn anew each time, both ends included.
struct DelayRange {
  std::int64_t min_ms = 0;
  std::int64_t max_ms = 0;  // 0: nothing is delayed

  bool is_on() const { return max_ms > 0; }
  friend bool operator==(const DelayRange&, const DelayRange&) = default;
};

class DelayedChanges {
 public:
  // Beyond either, the change that would be next is let go before its time.
  static constexpr std::size_t kMaxChanges = 1'000'000;
  static constexpr std::size_t kMaxBytes = 256 << 20;  // of the items before and after

  struct Waiting {
    std::int64_t due_ms = 0;   // in this queue's time
    std::uint64_t number = 0;  // ascending in the order of Add
    ItemRef before;            // null: inserted
    ItemRef after;             // null: removed

    // One of the two, for its key.
    const Item& item() const { return after ? *after : *before; }
  };

  // The delays of the changes to come.
  void SetDelays(const DelayRange& delays) { delays_ = delays; }
  const DelayRange& delays() const { return delays_; }
  void Seed(std::uint64_t seed) { random_ = Random(seed); }  // 0 in the beginning

  // A change that was made at `now_ms`.
  void Add(const Change& change, std::int64_t now_ms);
  // The next change whose time has come; none when there is none.
  std::optional<Waiting> TakeDue(std::int64_t now_ms);
  // Whether there are too many for their memory; then the next one, due or not.
  bool IsOverfull() const { return heap_.size() > kMaxChanges || size_bytes_ > kMaxBytes; }
  Waiting TakeNext();

  std::size_t size() const { return heap_.size(); }
  void Clear();
  // For each item that has changes waiting, the first of them. Valid until it changes.
  // Cost: O(n log n).
  std::vector<const Waiting*> FirstOfEachItem() const;

 private:
  // Of an item collection, by its hash: those that share one keep each other's order, too.
  struct Collection {
    std::int64_t last_due_ms = 0;
    std::size_t waiting = 0;
  };

  std::int64_t QueueTimeAt(std::int64_t now_ms);
  std::int64_t DrawDelay();
  static bool IsAfter(const Waiting& a, const Waiting& b);

  Random random_{0};
  DelayRange delays_;
  std::vector<Waiting> heap_;  // the next one first
  std::size_t size_bytes_ = 0;
  absl::flat_hash_map<std::uint64_t, Collection> collections_;  // those with changes waiting
  std::uint64_t next_number_ = 0;
  std::int64_t last_now_ms_ = 0;
  std::int64_t shift_ms_ = 0;  // how far the clock has gone back in all
};

}  // namespace hashrange
