#include "control/snapshots.h"

#include <utility>

#include "control/table_copy.h"

namespace hashrange {

std::int64_t Snapshot::item_count() const {
  std::int64_t count = 0;
  for (const TablePin& table : tables) {
    for (const PinnedMap& items : table.items) count += items.item_count;
  }
  return count;
}

std::int64_t Snapshot::size_bytes() const {
  std::int64_t bytes = 0;
  for (const TablePin& table : tables) {
    for (const PinnedMap& items : table.items) bytes += items.size_bytes;
  }
  return bytes;
}

Result<SnapshotRef> Snapshots::Take(std::string_view name,
                                    std::optional<std::string_view> account_id,
                                    std::int64_t now_epoch_ms) {
  auto taken = std::make_shared<Snapshot>();
  taken->name = name;
  if (account_id) taken->account_id = *account_id;
  taken->creation_epoch_ms = now_epoch_ms;
  for (TablePin& table : catalog_.Pin(taken->scope())) {
    const TableVersion& version = *table.version;
    if (version.status() == ResourceStatus::kDeleting) continue;
    // A copy is stored, because the pinned version shares tags and streams with its table, and
    // requests may change these.
    table.version = TableRef::Adopt(CopyDefinition(version, version.account_id).release());
    taken->tables.push_back(std::move(table));
  }
  SnapshotRef replaced = taken;
  {
    MutexLock lock(mutex_);
    if (snapshots_.size() >= kMaxSnapshots && !snapshots_.contains(name)) {
      return Error{ErrorCode::kLimitExceededException,
                   "There are " + std::to_string(kMaxSnapshots) +
                       " snapshots, which is the limit: drop one, or use its name again.",
                   nullptr};
    }
    std::swap(snapshots_[taken->name], replaced);
  }
  catalog_.Discard(std::move(replaced));
  return SnapshotRef(std::move(taken));
}

SnapshotRef Snapshots::Find(std::string_view name) const {
  MutexLock lock(mutex_);
  const auto found = snapshots_.find(name);
  return found == snapshots_.end() ? nullptr : found->second;
}

std::vector<SnapshotRef> Snapshots::All() const {
  MutexLock lock(mutex_);
  std::vector<SnapshotRef> all;
  for (const auto& [name, snapshot] : snapshots_) all.push_back(snapshot);
  return all;
}

bool Snapshots::Drop(std::string_view name) {
  SnapshotRef dropped;
  {
    MutexLock lock(mutex_);
    const auto found = snapshots_.find(name);
    if (found == snapshots_.end()) return false;
    dropped = std::move(found->second);
    snapshots_.erase(found);
  }
  catalog_.Discard(std::move(dropped));
  return true;
}

}  // namespace hashrange
