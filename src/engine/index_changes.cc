#include "engine/index_changes.h"

#include "engine/table.h"

namespace hashrange {
namespace {

std::int64_t EntrySize(const IndexSchema& index, ItemView item) {
  return static_cast<std::int64_t>(ProjectedSizeBytes(index, item));
}

}  // namespace

void IndexChanges::Add(const ItemChange& change) {
  const bool stays = change.before == change.after;
  for (const IndexVersion& index : change.table->indexes) {
    if (stays && index.status() != ResourceStatus::kCreating) continue;
    AddFor(index, change);
  }
}

void IndexChanges::AddFor(const IndexVersion& index, const ItemChange& change) {
  const IndexSchema& schema = index.schema;
  const ItemView before(change.table->key, change.before);
  const ItemView after(change.table->key, change.after);
  const bool was_member = BelongsTo(schema.key, before);
  if (was_member && after.exists() && SameIndexKey(schema.key, before, after)) {
    IndexChange* put = AddAt(index, change, change.after);
    put->item = change.after;
    put->old_size_bytes = EntrySize(schema, before);
    put->new_size_bytes = EntrySize(schema, after);
    return;
  }
  if (was_member) {
    AddAt(index, change, change.before)->old_size_bytes = EntrySize(schema, before);
  }
  if (BelongsTo(schema.key, after)) {
    IndexChange* put = AddAt(index, change, change.after);
    put->item = change.after;
    put->new_size_bytes = EntrySize(schema, after);
  }
}

// Adds a change at the position of `item`, which belongs to the index.
IndexChange* IndexChanges::AddAt(const IndexVersion& index, const ItemChange& change,
                                 const Item* item) {
  IndexChange* added = &all_[count_++];
  added->position = *IndexPosition(index.schema.key, ItemView(change.table->key, item), arena_);
  Index& storage = *index.storage;
  if (storage.is_local()) {
    added->entries = &change.partition->local_indexes[storage.local_ordinal()];
    return added;
  }
  const int number = PartitionSet::NumberOf(added->position.hash);
  Partition& partition = storage.MakePartition(number);
  added->lock = {change.table->table->id(), storage.id(), number, &partition};
  added->entries = &partition.items;
  return added;
}

std::span<PartitionLock> IndexChanges::Locks() const {
  if (count_ == 0) return {};
  const std::span<PartitionLock> locks = arena_.NewArray<PartitionLock>(count_);
  std::size_t count = 0;
  for (const IndexChange& change : changes()) {
    if (change.lock.partition) locks[count++] = change.lock;
  }
  return locks.first(count);
}

void Apply(const IndexChange& change, DroppedNodes* dropped) noexcept {
  CountedMap& entries = *change.entries;
  // The outcome of the write keeps the replaced item, so that `old` frees nothing.
  ItemRef old;
  if (change.item) {
    old = entries.map.Put(change.position, ItemRef::Share(change.item), dropped);
    ++entries.item_count;
    entries.size_bytes += change.new_size_bytes;
  } else {
    old = entries.map.Erase(change.position, dropped);
  }
  if (old) {
    --entries.item_count;
    entries.size_bytes -= change.old_size_bytes;
  }
}

}  // namespace hashrange
