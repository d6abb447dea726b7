// IndexChanges works out what a write changes in the indexes of its table: which entries are put
// and which are erased. `before` and `after` are the item's positions in an index.
//
//   before      after       the entry
//   none        none        –
//   a position  none        is erased
//   none        a position  is put
//   a position  the same    is re-pointed to the new item by a put
//   a position  another     is erased at the old position and put at the new one
//
// An index that is being filled (kCreating) also gets the entry of an item that stayed as it was.
// To erase an entry that such an index does not have yet changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.h"
#include "engine/lock_set.h"
#include "engine/partition.h"
#include "engine/table_version.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// One entry to put or to erase.
struct IndexChange {
  PartitionLock lock;  // without a partition for a local index: its partition is locked already
  CountedMap* entries = nullptr;
  Position position;
  const Item* item = nullptr;       // the item to put, without a reference; null: erase
  std::int64_t old_size_bytes = 0;  // the entry's size now, if the entry exists
  std::int64_t new_size_bytes = 0;
};

// One item of the table's partition `partition` that is about to change. Where `before` and `after`
// are the same, the item is only added to the indexes that are being filled.
struct ItemChange {
  const TableVersion* table = nullptr;
  Partition* partition = nullptr;  // the commit has locked it
  const Item* before = nullptr;
  const Item* after = nullptr;
};

// Collects the changes of one commit in its arena. Not thread-safe.
class IndexChanges {
 public:
  explicit IndexChanges(Arena& arena) : arena_(arena) {}

  // Makes room for `most` changes, two for each item and index. Call it before the first Add.
  void Reserve(std::size_t most) { all_ = arena_.NewArray<IndexChange>(most); }
  // Works out what `change` means for every index of its table.
  void Add(const ItemChange& change);

  std::span<const IndexChange> changes() const { return all_.first(count_); }
  // Returns the partitions of global indexes to lock, with repeats.
  std::span<PartitionLock> Locks() const;

 private:
  void AddFor(const IndexVersion& index, const ItemChange& change);
  IndexChange* AddAt(const IndexVersion& index, const ItemChange& change, const Item* item);

  Arena& arena_;
  std::span<IndexChange> all_;
  std::size_t count_ = 0;
};

// Applies one change while the partitions are locked. Nothing is freed.
void Apply(const IndexChange& change, DroppedNodes* dropped) noexcept;

}  // namespace hashrange
