// Engine::Commit: locks the partitions of the items, runs the functions, works out the changes of
// indexes, locks the partitions of indexes, draws memory, logs, applies, unlocks.
#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "base/memory_reserve.h"
#include "engine/engine.h"
#include "engine/index_changes.h"
#include "engine/lock_set.h"
#include "engine/partition.h"
#include "engine/table.h"

namespace hashrange {
namespace {

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
  DroppedNodes dropped_;  // destroyed after the lock sets below, when nothing is locked
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
    bytes += change.entries->map.MostBytesOfWrite();
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
    items.map.PutAt(place, outcome.after, &dropped_);
  } else {
    items.map.EraseAt(place, &dropped_);
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
