#include "engine/published_tables.h"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>

#include "base/memory/memory_reserve.h"
#include "engine/table.h"

namespace hashrange {

const AccountSet::Account* AccountSet::Find(AccountName name) const {
  const auto found = accounts_.find(name);
  return found == accounts_.end() ? nullptr : &found->second;
}

AccountSet::Account& AccountSet::FindOrAdd(const AccountKey& key) {
  if (const auto found = accounts_.find(key); found != accounts_.end()) return found->second;
  std::set<AccountKey> idle_entry = {key};  // made first, as memory may be missing
  Account& added = accounts_[key];
  without_tables_.merge(idle_entry);
  return added;
}

void AccountSet::AddTable(const TableVersion& table) {
  const AccountKey key{table.account_id, table.region};
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
    next_to_check_ = next == without_tables_.end() ? AccountKey() : *next;
  } catch (const std::bad_alloc&) {
    next_to_check_ = AccountKey();
  }
}

std::vector<TableRef> PublishedTables::TablesOf(const Scope& scope) const {
  std::vector<TableRef> found;
  accounts_.ForEach(scope, [&](AccountName name, const AccountSet::Account& account) {
    const auto add = [&](std::string_view table) {
      found.push_back(tables_.find(FullNameView{name.account_id, name.region, table})->second);
    };
    if (!scope.table) {
      for (const std::string& table : account.table_names) add(table);
    } else if (account.table_names.contains(*scope.table)) {
      add(*scope.table);
    }
  });
  return found;
}

Tables::iterator PublishedTables::FindPublished(const TableVersion& version) {
  const auto found = tables_.find(FullNameOf(version));
  return found != tables_.end() && found->second->number == version.number ? found : tables_.end();
}

TableRef* PublishedTables::PlaceOf(const TableVersion& version) {
  const auto found = FindPublished(version);
  return found == tables_.end() ? nullptr : &found->second;
}

bool PublishedTables::AreNamesFree(std::span<const TableRef> in,
                                   std::span<const std::uint64_t> removed_numbers) const {
  return std::ranges::all_of(in, [&](const TableRef& table) {
    const auto found = tables_.find(FullNameOf(*table));
    return found == tables_.end() ||
           std::ranges::binary_search(removed_numbers, found->second->number);
  });
}

void PublishedTables::AddNewNames(std::span<const TableRef> in) {
  for (const TableRef& table : in) {
    if (!tables_.contains(FullNameOf(*table))) AddName(table);
  }
}

// If it throws, the table is not added.
void PublishedTables::AddName(const TableRef& table) {
  MakeRoom(tables_);
  const auto added =
      tables_.emplace(OwnedFullName{table->account_id, table->region, table->name}, table).first;
  try {
    accounts_.AddTable(*table);
  } catch (...) {
    tables_.erase(added);
    throw;
  }
}

void PublishedTables::ReplaceAndRemove(std::span<const TableRef> out, std::span<const TableRef> in,
                                       std::vector<TableRef>* removed) noexcept {
  for (const TableRef& table : out) removed->push_back(FindPublished(*table)->second);
  for (const TableRef& table : in) tables_.find(FullNameOf(*table))->second = table;
  RemovePublished(out);
}

void PublishedTables::RemovePublished(std::span<const TableRef> tables) noexcept {
  for (const TableRef& table : tables) {
    const auto found = FindPublished(*table);
    if (found == tables_.end()) continue;
    accounts_.RemoveTable(*table);
    tables_.erase(found);
  }
}

}  // namespace hashrange
