// The Engine holds every table in memory. Only its own files lock partitions of tables.
//
//   Table ── Partition (16, by the top bits of the partition key's hash)
//         │    ├─ ordered map: position → Item
//         │    └─ one ordered map for each local index
//         └─ global index ── Partition (16, by the index hash) ── ordered map
//
// Three functions read and write items: Commit, Read, Range. Thread-safe. A Read delays a writer by
// at most one descent in a map for each address; a Range holds a lock only while it pins a map.
// Sizes are DynamoDB item sizes in bytes, not C++ memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/arena.h"
#include "engine/catalog.h"
#include "engine/change_log.h"
#include "engine/idempotency_tokens.h"
#include "engine/map/range_reader.h"
#include "engine/map/vector_map.h"
#include "engine/table_version.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// An item's address: its table (the caller keeps the reference) and its position.
struct ItemAddress {
  const TableVersion* table = nullptr;
  Position position;
};

// What the function of a write decided, after the function saw the item before the write.
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

// One write of a commit: the item before → a function → the item after. The function runs while the
// partition is locked: it is quick, does no I/O and does not call the engine.
struct ItemWrite {
  ItemAddress address;
  absl::FunctionRef<Decision(ItemView before)> function;
  WriteOrigin origin = WriteOrigin::kRequest;
  std::uint64_t seed = 0;  // not 0: the item put is one of this seed (PendingSeed)
};

// The outcome of one write. When the commit was refused, `after` is null and `before` is the item
// that the function saw. When the commit was stale, all members are empty.
struct WriteOutcome {
  ItemRef before;
  ItemRef after;  // equal to `before` for kKeep
  std::optional<Error> error;
};

// Makes the record of the idempotency token that a commit completes, from the outcomes of its
// writes. The function runs inside the commit, as the function of a write does.
using MakeTokenRecord = absl::FunctionRef<TokenRecord(std::span<const WriteOutcome>)>;

enum class CommitResult {
  kCommitted,
  kRefused,  // at least one function refused; nothing changed
  kStale,    // a table's version is no longer the published one; no function was run: look
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

  // Runs every function, in order, even after one has refused. Then applies all decisions at one
  // instant, indexes included, or none. `outcomes` has an element for each write.
  // No two writes have the same address. A Put of an item equal to the stored one changes nothing
  // and is not logged; its `after` is the given item. `arena` is for temporary data. `token` (null:
  // none) runs when no function has refused and a table is durable; the log then gets the token
  // together with the changes.
  // Errors: throws std::bad_alloc when there is not enough memory; nothing is changed then
  // Cost: one descent for each write and for each index it touches.
  CommitResult Commit(std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes,
                      Arena& arena, const MakeTokenRecord* token = nullptr);

  // Sets `items` to the items stored at `addresses`, in order, as of one instant; null where no
  // item is stored. Cost: O(log n) for each address, one lock for each partition; no allocation
  // for up to 32 addresses.
  void Read(std::span<const ItemAddress> addresses, std::span<ItemRef> items) const;

  // Returns a reader of the items of `interval` in a table (`index` is null) or in one of its
  // indexes, from the interval's beginning or, backward, from its end. Each partition is pinned
  // when the walk reaches it and is then read as of that instant, with no lock held. `table`,
  // `index` and the interval's bytes outlive the reader.
  RangeReader Range(const TableVersion& table, const IndexVersion* index, const Interval& interval,
                    bool forward) const;

  // Returns a reader of the rows of a vector index in the group with that hash (HashOfParts of the
  // value of its HASH element, or of no value), as of one instant; they are read with no lock held.
  // Rows of other groups are among them only when both groups have the same hash.
  VectorReader Range(const IndexVersion& index, std::uint64_t group) const;

  // Returns the exact number and size of the items of a table (`index` is null) or of the entries
  // of one of its indexes. A vector that has an entry counts 4 bytes for each dimension
  // (docs/service/15-vector-search.md, section 8). Cost: a lock for each partition.
  TableStatistics StatisticsOf(const TableVersion& table, const IndexVersion* index) const;

  // Adds a reader of the log, which outlives the engine's last commit. Call it before the first
  // commit only.
  void AddObserver(ChangeObserver& observer) { observers_.push_back(&observer); }

 private:
  // Gives the changes their sequence numbers and passes them to the observers.
  void Log(std::span<Change> changes, const TokenRef& token);

  const Clock& clock_;
  Catalog catalog_;
  std::vector<ChangeObserver*> observers_;
  std::atomic<std::uint64_t> next_sequence_number_{1};
};

}  // namespace hashrange
