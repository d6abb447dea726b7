#include "engine/published_tables.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/hash_table_room.h"

namespace hashrange {

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

void PublishedTables::RemoveNewNames(std::span<const TableRef> in) noexcept { RemovePublished(in); }

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
