// The Engine holds every table in memory and is the only code that locks.
//
//   Table ── Partition (16, by the top bits of the partition key's hash)
//         │    ├─ ordered map: position → Item
//         │    └─ one ordered map for each local index
//         └─ global index ── Partition (16, by the index hash) ── ordered map
//
// Three verbs do everything: Commit, Read, Range. Thread-safe. A read pins what it needs
// at one instant and then holds no lock; a reader never delays a writer by more than a
// descent. Sizes are DynamoDB item sizes in bytes, not C++ memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "engine/catalog.h"
#include "engine/change_log.h"
#include "engine/range_reader.h"
#include "engine/table_version.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// An item's address: a table (the pin stays with the caller) and its position.
struct ItemAddress {
  const TableVersion* table = nullptr;
  Position position;
};

// What a write's function decided about the item before it.
struct Decision {
  enum class Kind { kKeep, kPut, kErase, kRefuse };
  Kind kind = Kind::kKeep;
  ItemRef item;  // kPut: the item after, with the key of the address
  Error error;   // kRefuse

  static Decision Keep() { return {}; }
  static Decision Put(ItemRef item) { return {Kind::kPut, std::move(item), {}}; }
  static Decision Erase() { return {Kind::kErase, nullptr, {}}; }
  static Decision Refuse(Error error) { return {Kind::kRefuse, nullptr, std::move(error)}; }
};

// One member of a commit: read the item before → a pure function → the item after. The
// function runs with the partition locked: no I/O, no engine calls.
struct ItemWrite {
  ItemAddress address;
  absl::FunctionRef<Decision(ItemView before)> function;
  WriteOrigin origin = WriteOrigin::kRequest;
};

// What became of one member. When the commit was refused, `after` is null and `before`
// is what the function saw; when it was stale, all of it is empty.
struct WriteOutcome {
  ItemRef before;
  ItemRef after;  // equal to `before` with kKeep
  std::optional<Error> error;
};

enum class CommitResult {
  kCommitted,
  kRefused,  // at least one member refused; nothing changed
  kStale,    // a table's version is no longer the published one; nothing was run: look
             // the tables up again and start over
};

struct TableStatistics {
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

class Engine {
 public:
  explicit Engine(const Clock& clock) : clock_(clock), catalog_(clock) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Catalog& catalog() { return catalog_; }
  const Clock& clock() const { return clock_; }

  // Runs every function, in order, never stopping early; applies all of them at one
  // instant, indexes included, or none. `outcomes` has an element for each write.
  // No two writes have the same address. A Put of what is there already changes nothing
  // and is no change in the log; its `after` is the item given. `arena` is scratch.
  // Cost: one descent for each write and for each index it touches.
  CommitResult Commit(std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes,
                      Arena& arena);

  // The items stored at `addresses`, in order, as of one instant; null where none is.
  // Cost: O(log n) for each, one lock for each partition touched; up to 32 addresses
  // allocate nothing.
  void Read(std::span<const ItemAddress> addresses, std::span<ItemRef> items) const;

  // The items of `interval` in a table (`index` null) or one of its indexes, from the
  // interval's beginning or, backward, from its end. Each partition is pinned when the
  // walk reaches it and is then read at that instant, with no lock held. `table`, `index`
  // and the interval's bytes outlive the reader.
  RangeReader Range(const TableVersion& table, const IndexVersion* index, const Interval& interval,
                    bool forward) const;

  // Exact. Cost: a lock for each partition.
  TableStatistics StatisticsOf(const TableVersion& table, const IndexVersion* index) const;

  // Adds a reader of the log. It outlives the engine's last commit. Only before the first
  // commit.
  void AddObserver(ChangeObserver& observer) { observers_.push_back(&observer); }

 private:
  // Numbers the changes and hands them on.
  void Log(std::span<Change> changes);

  const Clock& clock_;
  Catalog catalog_;
  std::vector<ChangeObserver*> observers_;
  std::atomic<std::uint64_t> next_sequence_number_{1};
};

}  // namespace hashrange
