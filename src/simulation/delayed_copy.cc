#include "simulation/delayed_copy.h"

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

#include "base/stable_sort.h"
#include "engine/table_life_cycle.h"
#include "engine/table_pin.h"
#include "value/key.h"

namespace hashrange {
namespace {

std::size_t SizeOf(const DelayedChanges::Waiting& change) {
  return (change.before ? change.before->size_bytes() : 0) +
         (change.after ? change.after->size_bytes() : 0);
}

}  // namespace

void DelayedChanges::Add(const Change& change, std::int64_t now_ms) {
  Waiting waiting{0, next_number_++, change.before, change.after};
  Collection& collection = collections_[waiting.item().hash()];
  waiting.due_ms = std::max(QueueTimeAt(now_ms) + DrawDelay(), collection.last_due_ms);
  collection.last_due_ms = waiting.due_ms;
  ++collection.waiting;
  size_bytes_ += SizeOf(waiting);
  heap_.push_back(std::move(waiting));
  std::push_heap(heap_.begin(), heap_.end(), IsAfter);
}

std::optional<DelayedChanges::Waiting> DelayedChanges::TakeDue(std::int64_t now_ms) {
  const std::int64_t time_ms = QueueTimeAt(now_ms);
  if (heap_.empty() || heap_.front().due_ms > time_ms) return std::nullopt;
  return TakeNext();
}

DelayedChanges::Waiting DelayedChanges::TakeNext() {
  std::pop_heap(heap_.begin(), heap_.end(), IsAfter);
  Waiting taken = std::move(heap_.back());
  heap_.pop_back();
  size_bytes_ -= SizeOf(taken);
  const auto collection = collections_.find(taken.item().hash());
  if (--collection->second.waiting == 0) collections_.erase(collection);
  return taken;
}

void DelayedChanges::Clear() {
  heap_ = {};
  collections_ = {};
  size_bytes_ = 0;
}

std::vector<const DelayedChanges::Waiting*> DelayedChanges::FirstOfEachItem() const {
  const auto key = [](const Waiting* change) {
    return std::tuple(change->item().hash(), change->item().key(), change->number);
  };
  std::vector<const Waiting*> changes;
  changes.reserve(heap_.size());
  for (const Waiting& change : heap_) changes.push_back(&change);
  StableSort(changes, {}, key);
  const auto is_same_item = [](const Waiting* a, const Waiting* b) {
    return a->item().hash() == b->item().hash() && a->item().key() == b->item().key();
  };
  changes.erase(std::unique(changes.begin(), changes.end(), is_same_item), changes.end());
  return changes;
}

std::int64_t DelayedChanges::QueueTimeAt(std::int64_t now_ms) {
  if (now_ms < last_now_ms_) shift_ms_ += last_now_ms_ - now_ms;
  last_now_ms_ = now_ms;
  return now_ms + shift_ms_;
}

std::int64_t DelayedChanges::DrawDelay() {
  const auto span = static_cast<std::uint64_t>(delays_.max_ms - delays_.min_ms) + 1;
  return delays_.min_ms + static_cast<std::int64_t>(random_.Next() % span);
}

bool DelayedChanges::IsAfter(const Waiting& a, const Waiting& b) {
  return std::tie(a.due_ms, a.number) > std::tie(b.due_ms, b.number);
}

namespace {

std::vector<std::pair<std::uint32_t, ResourceStatus>> IndexesOf(const TableVersion& table) {
  std::vector<std::pair<std::uint32_t, ResourceStatus>> indexes;
  for (const IndexVersion& index : table.indexes) indexes.emplace_back(index.id, index.status());
  return indexes;
}

// The copy has no stream, time to live, lag or tail of its own. Without the lag, which owns the
// copy, there is no cycle of references.
std::unique_ptr<TableVersion> VersionForCopy(const TableVersion& table) {
  auto version = VersionAfter(table, Freeze());
  version->settings.stream.reset();
  version->settings.ttl_attribute.reset();
  version->settings.expiries.reset();
  version->settings.lag.reset();
  version->settings.tail.reset();
  return version;
}

}  // namespace

void DelayedCopy::SetDelays(const DelayRange& delays) {
  TableRef released;  // is freed after the locks are released
  MutexLock advancing(advancing_);
  MutexLock lock(mutex_);
  waiting_.SetDelays(delays);
  if (delays.is_on()) return;
  waiting_.Clear();
  released = std::exchange(copy_, nullptr);
}

DelayRange DelayedCopy::delays() const {
  MutexLock lock(mutex_);
  return waiting_.delays();
}

void DelayedCopy::Seed(std::uint64_t seed) {
  MutexLock lock(mutex_);
  waiting_.Seed(seed);
}

std::size_t DelayedCopy::waiting() const {
  MutexLock lock(mutex_);
  return waiting_.size();
}

void DelayedCopy::Append(const Change& change) {
  MutexLock lock(mutex_);
  if (!waiting_.delays().is_on()) return;
  // The time is read under the lock, so times ascend in the order of the queue, unlike the times at
  // which the changes were made. A time that goes back means that the clock was set back.
  try {
    waiting_.Add(change, engine_.clock().NowEpochMs());
  } catch (const std::bad_alloc&) {
    waiting_.Clear();
    has_missed_ = true;
    return;
  }
  if (!waiting_.IsOverfull()) return;
  // Many changes are dropped at once, as the next reader then has to make the copy anew, which is
  // slow.
  for (std::size_t count = waiting_.size() / 4 + 1; count > 0; --count) waiting_.TakeNext();
  has_missed_ = true;
}

TableRef DelayedCopy::Advance(const TableVersion& table) {
  TableRef released;  // is freed after the locks are released
  MutexLock advancing(advancing_);
  if (!delays().is_on()) return nullptr;
  const bool is_usable = IsUsableFor(table);
  // When memory runs out while changes are applied, `copy_` is null and the copy is made anew.
  TableRef copy = std::exchange(copy_, nullptr);
  if (is_usable) {
    ApplyDue(*copy);
    return copy_ = std::move(copy);
  }
  released = std::move(copy);
  // Changes that are due are in the table already, or will be when it is pinned.
  for (std::size_t most = waiting(); most > 0 && TakeDue(); --most) {
  }
  return copy_ = MakeCopy(table);
}

// A reader that has an older version of the table reads the past of the newer version.
bool DelayedCopy::IsUsableFor(const TableVersion& table) {
  if (!copy_) return false;
  {
    MutexLock lock(mutex_);
    if (has_missed_) return false;
  }
  if (table.number <= number_) return true;
  if (IndexesOf(table) != indexes_) return false;
  number_ = table.number;
  return true;
}

TableRef DelayedCopy::MakeCopy(const TableVersion& table) {
  {
    // This comes before the pin: a change that is dropped from now on is missing from this copy.
    MutexLock lock(mutex_);
    has_missed_ = false;
  }
  const std::vector<TablePin> pins =
      engine_.catalog().Pin({table.account_id, table.region, table.name});
  if (pins.empty() || pins[0].version->table != table.table) return nullptr;
  TableRef copy = engine_.catalog().PreparePrivate(VersionForCopy(*pins[0].version), &pins[0]);
  indexes_ = IndexesOf(*pins[0].version);
  number_ = pins[0].version->number;
  UndoWaiting(*copy);
  return copy;
}

void DelayedCopy::UndoWaiting(const TableVersion& copy) {
  std::vector<DelayedChanges::Waiting> first;
  {
    MutexLock lock(mutex_);
    for (const DelayedChanges::Waiting* change : waiting_.FirstOfEachItem()) {
      first.push_back(*change);
    }
  }
  for (const DelayedChanges::Waiting& change : first) {
    ReplaceItem(copy, change.item(), change.before);
  }
}

// Changes that become due meanwhile are left to the next reader.
void DelayedCopy::ApplyDue(const TableVersion& copy) {
  for (std::size_t most = waiting(); most > 0; --most) {
    const auto change = TakeDue();
    if (!change) return;
    ReplaceItem(copy, change->item(), change->after);
  }
}

std::optional<DelayedChanges::Waiting> DelayedCopy::TakeDue() {
  MutexLock lock(mutex_);
  return waiting_.TakeDue(engine_.clock().NowEpochMs());
}

// Stores `item` in the place of the item with that key; null removes that item.
void DelayedCopy::ReplaceItem(const TableVersion& copy, const Item& key, const ItemRef& item) {
  const auto function = [&item](ItemView) {
    return item ? Decision::Put(item) : Decision::Erase();
  };
  const ItemWrite write{{&copy, {key.hash(), key.key()}}, function};
  WriteOutcome outcome;
  engine_.Commit({&write, 1}, {&outcome, 1}, arena_);
  arena_.Reset();
}

}  // namespace hashrange
