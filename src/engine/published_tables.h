// PublishedTables: the published version of every table, by its account, Region and name, together
// with the set of accounts. Not thread-safe: the catalog's lock guards it.
//
// An exchange of tables is made in steps, and only the first of them may fail:
//
//   AddNewNames ──▶ what else may fail ──▶ ReplaceAndRemove
//        └──────────────────┴─ on failure ──▶ RemoveNewNames
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"
#include "engine/account_name.h"
#include "engine/account_set.h"
#include "engine/catalog_stripes.h"
#include "engine/table_version.h"

namespace hashrange {

class PublishedTables {
 public:
  explicit PublishedTables(const Clock& clock) : accounts_(clock) {}

  const Tables& tables() const { return tables_; }
  AccountSet& accounts() { return accounts_; }

  // Returns the tables of the scope, in the order of account, Region and name.
  std::vector<TableRef> TablesOf(const Scope& scope) const;
  // Returns where `version` is, if it is the published version of its table; else null.
  TableRef* PlaceOf(const TableVersion& version);
  // Returns whether the names of `in` are free once the versions with `removed_numbers`, which
  // ascend, are removed.
  bool AreNamesFree(std::span<const TableRef> in,
                    std::span<const std::uint64_t> removed_numbers) const;

  // Adds the tables of `in` whose names are new.
  // Errors: throws std::bad_alloc; call RemoveNewNames then, too
  void AddNewNames(std::span<const TableRef> in);
  void RemoveNewNames(std::span<const TableRef> in) noexcept;
  // Puts the tables of `in` in place, and removes those of `out` whose names `in` does not have.
  // The references to the tables of `out` are added to `*removed`, which has room for them.
  void ReplaceAndRemove(std::span<const TableRef> out, std::span<const TableRef> in,
                        std::vector<TableRef>* removed) noexcept;

 private:
  Tables::iterator FindPublished(const TableVersion& version);
  void AddName(const TableRef& table);
  // Removes the tables that are the published version of their name.
  void RemovePublished(std::span<const TableRef> tables) noexcept;

  AccountSet accounts_;
  Tables tables_;
};

}  // namespace hashrange
