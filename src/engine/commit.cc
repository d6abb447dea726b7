// Engine::Commit: locks the partitions of the items, runs the functions, works out the changes of
// indexes, locks the partitions of indexes, draws memory, logs, applies, unlocks.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "base/memory/arena.h"
#include "base/memory/memory_reserve.h"
#include "engine/engine.h"
#include "engine/map/partition.h"
#include "engine/map/vector_map.h"
#include "engine/table.h"
#include "engine/table_version.h"
#include "engine/vectors/distance.h"
#include "value/item.h"
#include "value/key.h"
#include "value/vector.h"

namespace hashrange {
namespace {

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

// What a change of a vector index has beside. The bytes of IndexChange::position are the key of the
// item in its table.
struct RowChange {
  CountedVectors* vectors = nullptr;
  std::uint64_t row_hash = 0;
  const float* floats = nullptr;     // null: the row keeps its floats
  std::int64_t old_value_bytes = 0;  // CountedVectors::value_bytes of the entry
  std::int64_t new_value_bytes = 0;
};

// One entry to put or to erase.
struct IndexChange {
  PartitionLock lock;  // without a partition for a local index: its partition is locked already
  CountedMap* entries = nullptr;  // null for a vector index
  Position position;
  const Item* item = nullptr;       // the item to put, without a reference; null: erase
  std::int64_t old_size_bytes = 0;  // the entry's size now, if the entry exists
  std::int64_t new_size_bytes = 0;
  const RowChange* row = nullptr;  // of a vector index
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
  void AddForVectors(const IndexVersion& index, const ItemChange& change);
  std::pair<IndexChange*, RowChange*> AddRowAt(const IndexVersion& index, const ItemChange& change,
                                               ItemView item);

  Arena& arena_;
  std::span<IndexChange> all_;
  std::size_t count_ = 0;
};

std::int64_t EntrySize(const IndexSchema& index, ItemView item) {
  return static_cast<std::int64_t>(ProjectedSizeBytes(index, item));
}

void IndexChanges::Add(const ItemChange& change) {
  const bool stays = change.before == change.after;
  for (const IndexVersion& index : change.table->indexes) {
    if (stays && index.status() != ResourceStatus::kCreating) continue;
    if (index.schema.vector) [[unlikely]] {
      AddForVectors(index, change);
    } else {
      AddFor(index, change);
    }
  }
}

void IndexChanges::AddFor(const IndexVersion& index, const ItemChange& change) {
  const IndexSchema& schema = index.schema;
  const ItemView before(change.table->key, change.before);
  const ItemView after(change.table->key, change.after);
  // An index is sparse: an item without all attributes of the index's key is not in it.
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

std::int64_t VectorValueSize(const VectorSchema& vector, ItemView item) {
  return static_cast<std::int64_t>(SizeBytes(*item.Find(vector.attribute)));
}

void IndexChanges::AddForVectors(const IndexVersion& index, const ItemChange& change) {
  const IndexSchema& schema = index.schema;
  const VectorSchema& vector = *schema.vector;
  const ItemView before(change.table->key, change.before);
  const ItemView after(change.table->key, change.after);
  const bool was_member = HasVectorEntry(schema, before), is_member = HasVectorEntry(schema, after);
  const bool stays_in_group = was_member && is_member && SameIndexKey(schema.key, before, after);
  if (was_member && !stays_in_group) {
    auto [erase, row] = AddRowAt(index, change, before);
    erase->old_size_bytes = EntrySize(schema, before);
    row->old_value_bytes = VectorValueSize(vector, before);
  }
  if (!is_member) return;
  auto [put, row] = AddRowAt(index, change, after);
  put->item = change.after;
  put->new_size_bytes = EntrySize(schema, after);
  row->new_value_bytes = VectorValueSize(vector, after);
  if (stays_in_group) {
    put->old_size_bytes = EntrySize(schema, before);
    row->old_value_bytes = VectorValueSize(vector, before);
    // An index that is being filled may not have the row yet.
    const bool keeps_floats = index.status() != ResourceStatus::kCreating &&
                              before.Find(vector.attribute) == after.Find(vector.attribute);
    if (keeps_floats) return;
  }
  const std::span<float> floats = arena_.NewArray<float>(RowStride(vector.dimensions));
  ReadVector(*after.Find(vector.attribute), floats);
  row->floats = floats.data();
}

// Adds a change of the row of `item`, which belongs to the vector index.
std::pair<IndexChange*, RowChange*> IndexChanges::AddRowAt(const IndexVersion& index,
                                                           const ItemChange& change,
                                                           ItemView item) {
  IndexChange* const added = &all_[count_++];
  RowChange* const row = arena_.NewArray<RowChange>(1).data();
  added->row = row;
  added->position = {IndexHash(index.schema.key, item), item.item()->key()};
  row->row_hash = RowHash(item.item()->key());
  const int number = PartitionSet::NumberOf(added->position.hash);
  Partition& partition = index.storage->MakePartition(number);
  row->vectors = partition.vectors.get();
  added->lock = {change.table->table->id(), index.storage->id(), number, &partition};
  return {added, row};
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

// What the maps have dropped in a commit.
struct Dropped {
  DroppedNodes nodes;
  DroppedVectorNodes vector_nodes;
};

void ApplyRow(const IndexChange& change, DroppedVectorNodes* dropped) noexcept {
  const RowChange& row = *change.row;
  CountedVectors& vectors = *row.vectors;
  const RowAddress address{change.position.hash, row.row_hash, change.position.bytes};
  ItemRef old;
  if (change.item) {
    old = vectors.map.Put(address, ItemRef::Share(change.item), row.floats, dropped);
    ++vectors.item_count;
    vectors.size_bytes += change.new_size_bytes;
    vectors.value_bytes += row.new_value_bytes;
  } else {
    old = vectors.map.Erase(address, dropped);
  }
  if (!old) return;
  --vectors.item_count;
  vectors.size_bytes -= change.old_size_bytes;
  vectors.value_bytes -= row.old_value_bytes;
}

// Applies one change while the partitions are locked. Nothing is freed.
void Apply(const IndexChange& change, Dropped* all_dropped) noexcept {
  if (change.row) [[unlikely]]
    return ApplyRow(change, &all_dropped->vector_nodes);
  DroppedNodes* const dropped = &all_dropped->nodes;
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

// One commit, on the stack of its thread. The destructor unlocks, in reverse order.
class CommitRun {
 public:
  CommitRun(std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes, Arena& arena)
      : writes_(writes), outcomes_(outcomes), arena_(arena) {}

  void LockTablePartitions();
  // Returns whether every write has the published version of its table.
  bool IsCurrent() const;
  // Returns false when a function refused.
  bool RunFunctions();
  void WorkOutIndexChanges();
  void LockIndexes() { index_locks_.Lock(index_changes_.Locks()); }
  bool IsLogged() const;
  bool IsDurable() const;
  // Returns the changes of the commit to logged tables, without their sequence numbers.
  absl::InlinedVector<Change, 2> Changes(std::int64_t epoch_ms) const;
  // Draws what Apply takes at most from the thread's reserve, and `times` as much as an observer
  // takes (kMostBytesOfObserver). Errors: throws std::bad_alloc
  void DrawMemory(std::size_t times) const;
  // Does not run out of memory after DrawMemory.
  void Apply() noexcept;

 private:
  struct WriteState {
    Partition* partition = nullptr;  // of the table
    OrderedMap::Place place;
    bool is_changed = false;
  };

  bool Run(std::size_t i);
  bool IsChanged(std::size_t i) const;
  void ApplyOne(std::size_t i);

  const std::span<const ItemWrite> writes_;
  const std::span<WriteOutcome> outcomes_;
  Arena& arena_;
  std::span<WriteState> states_;
  Dropped dropped_;  // destroyed after the lock sets below, when nothing is locked
  // Bit n: a partition of number n has changed, so that a place found before may not be valid.
  std::uint32_t changed_partitions_ = 0;
  LockSet table_locks_;
  IndexChanges index_changes_{arena_};
  LockSet index_locks_;
};

void CommitRun::LockTablePartitions() {
  states_ = arena_.NewArray<WriteState>(writes_.size());
  const auto locks = arena_.NewArray<PartitionLock>(writes_.size());
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    const ItemAddress& address = writes_[i].address;
    Table& table = *address.table->table;
    const int number = PartitionSet::NumberOf(address.position.hash);
    states_[i].partition = &table.MakePartition(number);
    locks[i] = {table.id(), 0, number, states_[i].partition};
  }
  table_locks_.Lock(locks);
}

bool CommitRun::IsCurrent() const {
  for (const ItemWrite& write : writes_) {
    if (!write.address.table->table->IsPublished(*write.address.table)) return false;
  }
  return true;
}

bool CommitRun::RunFunctions() {
  bool refused = false;
  for (std::size_t i = 0; i < writes_.size(); ++i) refused |= !Run(i);
  return !refused;
}

bool CommitRun::Run(std::size_t i) {
  const ItemAddress& address = writes_[i].address;
  states_[i].partition->items.map.Locate(address.position, &states_[i].place);
  const Item* before = states_[i].place.item();
  WriteOutcome& outcome = outcomes_[i];
  outcome.before = ItemRef::Share(before);
  Decision decision = writes_[i].function(ItemView(address.table->key, before));
  switch (decision.kind) {
    case Decision::Kind::kKeep:
      outcome.after = outcome.before;
      break;
    case Decision::Kind::kPut:
      assert(decision.item->hash() == address.position.hash &&
             decision.item->key() == address.position.bytes);
      outcome.after = std::move(decision.item);
      break;
    case Decision::Kind::kErase:
      break;
    case Decision::Kind::kRefuse:
      outcome.error = std::move(decision.error);
      return false;
  }
  states_[i].is_changed = IsChanged(i);
  return true;
}

bool CommitRun::IsChanged(std::size_t i) const {
  const WriteOutcome& outcome = outcomes_[i];
  if (!outcome.before || !outcome.after || outcome.before == outcome.after) {
    return outcome.before != outcome.after;
  }
  const KeySchema& key = writes_[i].address.table->key;
  return !ItemView(key, outcome.before.get()).SameAttributes({key, outcome.after.get()});
}

void CommitRun::WorkOutIndexChanges() {
  std::size_t most = 0;
  for (const ItemWrite& write : writes_) most += 2 * write.address.table->indexes.size();
  if (most == 0) return;
  index_changes_.Reserve(most);
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    const Item* before = outcomes_[i].before.get();
    const Item* after = states_[i].is_changed ? outcomes_[i].after.get() : before;
    index_changes_.Add({writes_[i].address.table, states_[i].partition, before, after});
  }
}

bool CommitRun::IsLogged() const {
  return std::ranges::any_of(
      writes_, [](const ItemWrite& write) { return write.address.table->IsLogged(); });
}

bool CommitRun::IsDurable() const {
  return std::ranges::any_of(
      writes_, [](const ItemWrite& write) { return write.address.table->is_durable; });
}

absl::InlinedVector<Change, 2> CommitRun::Changes(std::int64_t epoch_ms) const {
  absl::InlinedVector<Change, 2> changes;
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    const TableVersion* table = writes_[i].address.table;
    const bool is_told = states_[i].is_changed || writes_[i].seed != 0;
    if (!is_told || !table->IsLogged()) continue;
    const WriteOutcome& outcome = outcomes_[i];
    changes.push_back({table, outcome.before,
                       states_[i].is_changed ? outcome.after : outcome.before, 0, epoch_ms,
                       writes_[i].origin, writes_[i].seed});
  }
  return changes;
}

void CommitRun::DrawMemory(std::size_t times) const {
  std::size_t bytes = times * kMostBytesOfObserver;
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    if (states_[i].is_changed) bytes += states_[i].partition->items.map.MostBytesOfWrite();
  }
  for (const IndexChange& change : index_changes_.changes()) {
    bytes += change.row ? change.row->vectors->map.MostBytesOfWrite()
                        : change.entries->map.MostBytesOfWrite();
  }
  DrawReserve(bytes);
}

void CommitRun::Apply() noexcept {
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    if (states_[i].is_changed) ApplyOne(i);
  }
  for (const IndexChange& change : index_changes_.changes()) hashrange::Apply(change, &dropped_);
}

void CommitRun::ApplyOne(std::size_t i) {
  CountedMap& items = states_[i].partition->items;
  const WriteOutcome& outcome = outcomes_[i];
  OrderedMap::Place& place = states_[i].place;
  const Position& position = writes_[i].address.position;
  const std::uint32_t partition = 1u << PartitionSet::NumberOf(position.hash);
  if (changed_partitions_ & partition) items.map.Locate(position, &place);
  changed_partitions_ |= partition;
  // The outcome keeps the replaced item, and dropped_ keeps nodes: nothing is freed here.
  if (outcome.before) {
    --items.item_count;
    items.size_bytes -= outcome.before->size_bytes();
  }
  if (outcome.after) {
    ++items.item_count;
    items.size_bytes += outcome.after->size_bytes();
    items.map.PutAt(place, outcome.after, &dropped_.nodes);
  } else {
    items.map.EraseAt(place, &dropped_.nodes);
  }
}

}  // namespace

CommitResult Engine::Commit(std::span<const ItemWrite> writes, std::span<WriteOutcome> outcomes,
                            Arena& arena, const MakeTokenRecord* token) {
  assert(outcomes.size() == writes.size());
  for (WriteOutcome& outcome : outcomes) outcome = {};
  bool refused;
  {
    CommitRun run(writes, outcomes, arena);
    run.LockTablePartitions();
    if (!run.IsCurrent()) return CommitResult::kStale;
    refused = !run.RunFunctions();
    if (!refused) {
      run.WorkOutIndexChanges();
      run.LockIndexes();
      absl::InlinedVector<Change, 2> changes;
      if (run.IsLogged()) changes = run.Changes(clock_.NowEpochMs());
      const std::span<Change> all(changes.data(), changes.size());
      TokenRef completed;
      if (token && run.IsDurable()) {
        completed = std::make_shared<const TokenRecord>((*token)(outcomes));
      }
      // The caller takes no more for the token, which it completes afterwards, than an observer.
      const std::size_t tokens = token ? 1 : 0;
      run.DrawMemory(observers_.size() * (changes.size() + tokens) + tokens);
      Log(all, completed);
      run.Apply();
    }
  }
  if (!refused) return CommitResult::kCommitted;
  // Nothing is locked any more, as the release may free items.
  for (WriteOutcome& outcome : outcomes) outcome.after = nullptr;
  return CommitResult::kRefused;
}

void Engine::Log(std::span<Change> changes, const TokenRef& token) {
  if (changes.empty() && !token) return;
  std::uint64_t number = next_sequence_number_.fetch_add(changes.size(), std::memory_order_relaxed);
  for (Change& change : changes) change.sequence_number = number++;
  for (ChangeObserver* observer : observers_) observer->OnCommit(changes, token);
}

}  // namespace hashrange
