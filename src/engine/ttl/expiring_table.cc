#include "engine/ttl/expiring_table.h"

#include <tuple>
#include <utility>
#include <vector>

#include "engine/ttl/expiry_set.h"
#include "value/key.h"

namespace hashrange {
namespace {

constexpr int kPageItems = 1000;         // how many items are read for one page
constexpr std::size_t kShardItems = 32;  // how many items of a shard are deleted in one step

}  // namespace

ExpiringTable::ExpiringTable(Engine& engine, const TableVersion& version, bool is_filled)
    : engine_(engine),
      account_id_(version.account_id),
      region_(version.region),
      name_(version.name),
      expiries_(version.settings.expiries),
      is_filled_(is_filled) {}

ExpiringTable::Progress ExpiringTable::Step() {
  const TableRef table = Find();
  if (!table) return Progress::kGone;
  // A table that is being deleted loses all its items at once.
  if (table->status() == ResourceStatus::kDeleting) return Progress::kDone;
  return is_filled_ ? DeleteDue(table) : FillPage(table);
}

TableRef ExpiringTable::Find() const {
  TableRef table = engine_.catalog().Find({account_id_, region_}, name_);
  return table && table->settings.expiries == expiries_ ? table : nullptr;
}

// When the function returns, no map is pinned.
std::vector<ItemRef> ExpiringTable::ReadPage(const TableVersion& table) {
  const std::string begin = std::exchange(next_bytes_, {});
  RangeReader reader = engine_.Range(table, nullptr, {{next_hash_, begin}, std::nullopt}, true);
  std::vector<ItemRef> expiring;
  for (int i = 0; i < kPageItems; ++i) {
    const Item* item = reader.Next();
    if (!item) {
      is_filled_ = true;
      break;
    }
    if (expiries_->ExpiryOf({table.key, item})) expiring.push_back(ItemRef::Share(item));
    if (i < kPageItems - 1) continue;
    arena_.Reset();
    next_hash_ = item->hash();
    next_bytes_ = Successor(item->key(), arena_);
  }
  return expiring;
}

ExpiringTable::Progress ExpiringTable::FillPage(const TableRef& table) {
  // A page that fails, for want of memory, is read again.
  const auto begin = std::pair(next_hash_, next_bytes_);
  try {
    return InsertPage(table);
  } catch (...) {
    is_filled_ = false;
    std::tie(next_hash_, next_bytes_) = begin;
    throw;
  }
}

ExpiringTable::Progress ExpiringTable::InsertPage(const TableRef& table) {
  // The page may be out of date by now; a commit sees the stored item.
  const auto insert = [this](ItemView stored) {
    expiries_->Insert(stored);
    return Decision::Keep();
  };
  for (const ItemRef& item : ReadPage(*table)) {
    WriteOutcome outcome;
    if (!Commit(*item, insert, table, &outcome)) break;
  }
  return Progress::kMore;
}

ExpiringTable::Progress ExpiringTable::DeleteDue(const TableRef& table) {
  const std::int64_t now = engine_.clock().NowEpochMs();
  // An item that was written again after its time had come, with a later time or none, stays.
  const auto erase_if_due = [this, now](ItemView stored) {
    const auto expiry = expiries_->ExpiryOf(stored);
    return expiry && IsDue(*expiry, now) ? Decision::Erase() : Decision::Keep();
  };
  Progress progress = Progress::kDone;
  for (int shard = 0; shard < ExpirySet::kShards; ++shard) {
    for (const ItemRef& item : expiries_->Due(shard, now, kShardItems)) {
      WriteOutcome outcome;
      if (!Commit(*item, erase_if_due, table, &outcome)) return Progress::kMore;
      if (outcome.before && !outcome.after) progress = Progress::kMore;
    }
  }
  return progress;
}

bool ExpiringTable::Commit(const Item& item, absl::FunctionRef<Decision(ItemView)> decide,
                           TableRef table, WriteOutcome* outcome) {
  for (; table && table->status() != ResourceStatus::kDeleting; table = Find()) {
    arena_.Reset();
    const ItemWrite write{
        {table.get(), {item.hash(), item.key()}}, decide, WriteOrigin::kTimeToLive};
    if (engine_.Commit({&write, 1}, {outcome, 1}, arena_) != CommitResult::kStale) return true;
  }
  return false;
}

}  // namespace hashrange
