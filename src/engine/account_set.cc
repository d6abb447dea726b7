#include "engine/account_set.h"

#include <new>

#include "engine/table.h"

namespace hashrange {

const AccountSet::Account* AccountSet::Find(AccountName name) const {
  const auto found = accounts_.find(name);
  return found == accounts_.end() ? nullptr : &found->second;
}

AccountSet::Account& AccountSet::FindOrAdd(const Key& key) {
  if (const auto found = accounts_.find(key); found != accounts_.end()) return found->second;
  std::set<Key> idle_entry = {key};  // made first, as memory may be missing
  Account& added = accounts_[key];
  without_tables_.merge(idle_entry);
  return added;
}

void AccountSet::AddTable(const TableVersion& table) {
  const Key key(table.account_id, table.region);
  Account& account = FindOrAdd(key);
  account.table_names.insert(table.name);
  if (account.idle_entry.empty()) account.idle_entry = without_tables_.extract(key);
}

void AccountSet::RemoveTable(const TableVersion& table) {
  Account& account = accounts_.find(AccountName{table.account_id, table.region})->second;
  account.table_names.erase(table.name);
  if (account.table_names.empty()) without_tables_.insert(std::move(account.idle_entry));
}

void AccountSet::RestoreToken(const TokenRecord& record) {
  FindOrAdd({record.account_id, record.region}).tokens->Restore(record);
}

void AccountSet::ForgetTokens(const Scope& scope, std::span<const TableRef> tables) {
  if (!scope.table) {
    ForEach(scope, [](AccountName, const Account& account) { account.tokens->Clear(); });
    return;
  }
  const std::int64_t now_ms = clock_.NowEpochMs();
  for (const TableRef& table : tables) {
    Find({table->account_id, table->region})->tokens->ForgetTable(table->table->id(), now_ms);
  }
}

void AccountSet::DropIdle(Dropped* dropped) {
  const std::int64_t now_ms = clock_.NowEpochMs();
  auto next = without_tables_.lower_bound(next_to_check_);
  for (int i = 0; i < kMostDropped && !without_tables_.empty(); ++i) {
    if (next == without_tables_.end()) next = without_tables_.begin();
    const auto account = accounts_.find(*next);
    if (!account->second.tokens->IsIdle(now_ms)) {
      ++next;
      continue;
    }
    dropped->push_back(accounts_.extract(account));
    next = without_tables_.erase(next);
  }
  try {
    next_to_check_ = next == without_tables_.end() ? Key() : *next;
  } catch (const std::bad_alloc&) {
    next_to_check_ = Key();
  }
}

}  // namespace hashrange
