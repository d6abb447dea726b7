// What a write means for the indexes of its table: entries to put and entries to erase.
//
//   before    after     the entry
//   no place  no place  –
//   a place   no place  is erased
//   no place  a place   is put
//   a place   the same  is re-pointed to the new item: a put
//   a place   another   is erased there and put here
//
// An index that fills (kCreating) also gets the entry of an item that stayed as it was; an
// entry it has not got yet needs no erasing.
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
  PartitionLock lock;  // no partition: a local index, whose partition is locked already
  CountedMap* entries = nullptr;
  Position position;
  const Item* item = nullptr;       // to put; borrowed. Null: to erase
  std::int64_t old_size_bytes = 0;  // the entry's size now, if it is there
  std::int64_t new_size_bytes = 0;
};

// One item of the table's partition `base` that is about to change, or (with `before` and
// `after` the same) to be entered where an index fills.
struct ItemChange {
  const TableVersion* table = nullptr;
  Partition* base = nullptr;  // locked
  const Item* before = nullptr;
  const Item* after = nullptr;
};

// Collects the changes of one commit in its arena.
class IndexChanges {
 public:
  explicit IndexChanges(Arena& arena) : arena_(arena) {}

  // Makes room for `most` changes, two for each item and index; before the first Add.
  void Reserve(std::size_t most) { all_ = arena_.NewArray<IndexChange>(most); }
  // Works out what `change` means for every index of its table.
  void Add(const ItemChange& change);

  std::span<const IndexChange> changes() const { return all_.first(count_); }
  // The partitions of global indexes to lock, with repeats.
  std::span<PartitionLock> Locks() const;

 private:
  void AddFor(const IndexVersion& index, const ItemChange& change);
  IndexChange* AddAt(const IndexVersion& index, const ItemChange& change, const Item* item);

  Arena& arena_;
  std::span<IndexChange> all_;
  std::size_t count_ = 0;
};

// Applies one change; the partitions are locked. Nothing is freed.
void Apply(const IndexChange& change, DroppedNodes* dropped) noexcept;

}  // namespace hashrange
