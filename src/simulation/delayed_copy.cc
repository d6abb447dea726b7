#include "simulation/delayed_copy.h"

#include <algorithm>

#include "engine/table_pin.h"
#include "value/key.h"

namespace hashrange {
namespace {

std::vector<std::pair<std::uint32_t, ResourceStatus>> IndexesOf(const TableVersion& table) {
  std::vector<std::pair<std::uint32_t, ResourceStatus>> indexes;
  for (const IndexVersion& index : table.indexes) indexes.emplace_back(index.id, index.status);
  return indexes;
}

// A version for the copy: nobody reads its log, and it refers to nothing that refers to it.
std::unique_ptr<TableVersion> VersionForCopy(const TableVersion& table) {
  auto version = std::make_unique<TableVersion>(table);
  version->settings.stream.reset();
  version->settings.ttl_attribute.reset();
  version->settings.expiries.reset();
  version->settings.lag.reset();
  version->settles_epoch_ms = kNeverSettles;
  version->becomes = nullptr;
  return version;
}

}  // namespace

void DelayedCopy::SetDelays(const DelayRange& delays) {
  TableRef released;  // when nothing is locked
  std::lock_guard advancing(advancing_);
  std::lock_guard lock(mutex_);
  waiting_.SetDelays(delays);
  if (delays.is_on()) return;
  waiting_.Clear();
  released = std::exchange(copy_, nullptr);
}

DelayRange DelayedCopy::delays() const {
  std::lock_guard lock(mutex_);
  return waiting_.delays();
}

void DelayedCopy::Seed(std::uint64_t seed) {
  std::lock_guard lock(mutex_);
  waiting_.Seed(seed);
}

std::size_t DelayedCopy::waiting() const {
  std::lock_guard lock(mutex_);
  return waiting_.size();
}

void DelayedCopy::Append(const Change& change) {
  std::lock_guard lock(mutex_);
  if (!waiting_.delays().is_on()) return;
  // Told in the order of the lock, unlike when the change was made: a clock that seems to go back
  // was set back.
  waiting_.Add(change, engine_.clock().NowEpochMs());
  if (!waiting_.IsOverfull()) return;
  // Many at once: whoever reads then makes the copy anew, and that takes long.
  for (std::size_t count = waiting_.size() / 4 + 1; count > 0; --count) waiting_.TakeNext();
  has_missed_ = true;
}

TableRef DelayedCopy::Advance(const TableVersion& table) {
  TableRef released;  // when nothing is locked
  std::lock_guard advancing(advancing_);
  if (!delays().is_on()) return nullptr;
  const bool is_usable = IsUsableFor(table);
  // Without memory for all that is due, it is to be made anew.
  TableRef copy = std::exchange(copy_, nullptr);
  if (is_usable) {
    ApplyDue(*copy);
    return copy_ = std::move(copy);
  }
  released = std::move(copy);
  // What is due is in the table already, or will be when it is pinned.
  for (std::size_t most = waiting(); most > 0 && TakeDue(); --most) {
  }
  return copy_ = MakeCopy(table);
}

// A reader that found an older version of the table reads the past of the newer one.
bool DelayedCopy::IsUsableFor(const TableVersion& table) {
  if (!copy_) return false;
  {
    std::lock_guard lock(mutex_);
    if (has_missed_) return false;
  }
  if (table.number <= number_) return true;
  if (IndexesOf(table) != indexes_) return false;
  number_ = table.number;
  return true;
}

TableRef DelayedCopy::MakeCopy(const TableVersion& table) {
  {
    // Before the table is pinned: what is missed from now on is missed by this copy.
    std::lock_guard lock(mutex_);
    has_missed_ = false;
  }
  const std::vector<TablePin> pins =
      engine_.catalog().Pin({table.account_id, table.region, table.name});
  if (pins.empty() || pins[0].version->table != table.table) return nullptr;
  TableRef copy = engine_.catalog().Prepare(VersionForCopy(*pins[0].version), &pins[0]);
  indexes_ = IndexesOf(*pins[0].version);
  number_ = pins[0].version->number;
  UndoWaiting(*copy);
  return copy;
}

void DelayedCopy::UndoWaiting(const TableVersion& copy) {
  std::vector<DelayedChanges::Waiting> first;
  {
    std::lock_guard lock(mutex_);
    for (const DelayedChanges::Waiting* change : waiting_.FirstOfEachItem()) {
      first.push_back(*change);
    }
  }
  for (const DelayedChanges::Waiting& change : first)
    ReplaceItem(copy, change.item(), change.before);
}

// Those that become due meanwhile are for the next reader.
void DelayedCopy::ApplyDue(const TableVersion& copy) {
  for (std::size_t most = waiting(); most > 0; --most) {
    const auto change = TakeDue();
    if (!change) return;
    ReplaceItem(copy, change->item(), change->after);
  }
}

std::optional<DelayedChanges::Waiting> DelayedCopy::TakeDue() {
  std::lock_guard lock(mutex_);
  return waiting_.TakeDue(engine_.clock().NowEpochMs());
}

// `item`, or null for none, where an item of that key stands.
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
