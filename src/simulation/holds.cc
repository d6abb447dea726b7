#include "simulation/holds.h"

#include <algorithm>
#include <utility>

namespace hashrange {

Result<std::uint64_t> Holds::Add(const TableVersion& table, const Position& key,
                                 std::string key_json, std::optional<std::int64_t> timeout_ms) {
  MutexLock lock(mutex_);
  Prune();
  if (entries_.size() >= kMaxHolds) {
    return Error{ErrorCode::kLimitExceededException,
                 "There are " + std::to_string(kMaxHolds) + " holds, which is the limit.", nullptr};
  }
  Hold hold{next_id_++, table.account_id, table.region, table.name, std::move(key_json), {}};
  if (timeout_ms) hold.until_epoch_ms = clock_.NowEpochMs() + *timeout_ms;
  const std::uint64_t id = hold.id;
  entries_.push_back({std::move(hold), table.table, key.hash, std::string(key.bytes)});
  chain_.Activate(GateChain::Place::kHolds, *this);
  return id;
}

std::vector<Hold> Holds::List() {
  MutexLock lock(mutex_);
  Prune();
  std::vector<Hold> holds;
  for (const Entry& entry : entries_) holds.push_back(entry.hold);
  return holds;
}

bool Holds::Release(std::uint64_t id) {
  MutexLock lock(mutex_);
  Prune();
  const std::size_t count =
      std::erase_if(entries_, [id](const Entry& entry) { return entry.hold.id == id; });
  if (entries_.empty()) chain_.Deactivate(GateChain::Place::kHolds);
  return count > 0;
}

std::size_t Holds::Clear() {
  MutexLock lock(mutex_);
  Prune();
  const std::size_t count = entries_.size();
  entries_.clear();
  chain_.Deactivate(GateChain::Place::kHolds);
  return count;
}

std::optional<Error> Holds::Enter(Call&, const Access& access) {
  if (!CanConflict(access)) return std::nullopt;
  MutexLock lock(mutex_);
  const std::int64_t now_epoch_ms = clock_.NowEpochMs();
  const bool is_held = std::ranges::any_of(entries_, [&](const Entry& entry) {
    const auto until = entry.hold.until_epoch_ms;
    return entry.IsOf(access) && (!until || now_epoch_ms < *until);
  });
  return is_held ? std::optional(TransactionConflictError(access)) : std::nullopt;
}

bool Holds::Entry::IsOf(const Access& access) const {
  if (hash != access.key.hash || bytes != access.key.bytes) return false;
  const auto& theirs = access.table->table;
  return !items.owner_before(theirs) && !theirs.owner_before(items);
}

bool Holds::IsOver(const Entry& entry, std::int64_t now_epoch_ms) const {
  const Hold& hold = entry.hold;
  if (hold.until_epoch_ms && *hold.until_epoch_ms <= now_epoch_ms) return true;
  const TableRef table = catalog_.Find({hold.account_id, hold.region}, hold.table);
  return !table || table->table != entry.items.lock();
}

void Holds::Prune() {
  const std::int64_t now_epoch_ms = clock_.NowEpochMs();
  std::erase_if(entries_, [&](const Entry& entry) { return IsOver(entry, now_epoch_ms); });
  if (entries_.empty()) chain_.Deactivate(GateChain::Place::kHolds);
}

}  // namespace hashrange
