// The tables that a catalog has published: PublishedTables finds them by account, Region and name,
// AccountSet by account, and CatalogStripes is the lock that guards both. Only the catalog uses
// this file.
//
// An exchange of tables is made in steps, and only the first of them may fail:
//
//   AddNewNames ──▶ what else may fail ──▶ ReplaceAndRemove
//        └──────────────────┴─ on failure ──▶ RemovePublished
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "base/memory/memory_reserve.h"
#include "base/threads.h"
#include "engine/account_name.h"
#include "engine/idempotency_tokens.h"
#include "engine/table_version.h"

namespace hashrange {

// AccountSet: the accounts that have tables, with the names of the tables and the idempotency
// tokens of each account and Region. An account is added with its first table. An account that has
// neither tables nor tokens is dropped.
class AccountSet {
 public:
  struct Account {
    std::set<std::string, std::less<>> table_names;
    std::shared_ptr<IdempotencyTokens> tokens = std::make_shared<IdempotencyTokens>();
    // While the account has tables: its entry for the set of accounts without tables. So
    // RemoveTable needs no memory.
    std::set<AccountKey>::node_type idle_entry;
  };

  explicit AccountSet(const Clock& clock) : clock_(clock) {}

  // Returns the account and Region, or null.
  const Account* Find(AccountName name) const;
  // Calls `visit(name, account)` for the accounts and Regions of the scope, in ascending order.
  template <typename Visit>
  void ForEach(const Scope& scope, Visit&& visit) const;

  // Errors: throws std::bad_alloc, and the table is not added
  void AddTable(const TableVersion& table);
  // Removes a table of the set. Its account stays until DropIdle. Needs no memory.
  void RemoveTable(const TableVersion& table);

  // Adds a token, with its account if that has no tables.
  void RestoreToken(const TokenRecord& record);
  // Forgets the tokens of the accounts and Regions of the scope. If the scope names a table,
  // forgets only the tokens of requests that used one of `tables`.
  // Errors: throws std::bad_alloc, and the tokens of the other tables stay; if the scope names no
  // table, it never fails
  void ForgetTokens(const Scope& scope, std::span<const TableRef> tables);

 private:
  using Accounts = std::map<AccountKey, Account, AccountOrder>;

 public:
  // Dropped accounts. The caller frees them when nothing is locked.
  using Dropped = std::vector<Accounts::node_type>;
  static constexpr int kMostDropped = 4;
  // Drops accounts without tables whose tokens have all expired. Each call looks at up to
  // kMostDropped accounts and continues where the last call stopped.
  void DropIdle(Dropped* dropped);

 private:
  // Returns the account and Region, which is added without tables if it is not there.
  Account& FindOrAdd(const AccountKey& key);

  const Clock& clock_;
  Accounts accounts_;
  std::set<AccountKey> without_tables_;  // the accounts without tables
  AccountKey next_to_check_;             // an account without tables: the next DropIdle begins here
};

template <typename Visit>
void AccountSet::ForEach(const Scope& scope, Visit&& visit) const {
  const std::string_view least_region = scope.region.value_or("");
  auto next = scope.account_id ? accounts_.lower_bound(AccountName{*scope.account_id, least_region})
                               : accounts_.begin();
  for (; next != accounts_.end(); ++next) {
    const auto& [account_id, region] = next->first;
    if (scope.account_id && account_id != *scope.account_id) return;
    if (!scope.region || region == *scope.region) {
      visit(AccountName{account_id, region}, next->second);
    }
  }
}

// A table's owner and name. `Text` is a view for a look-up, and a string in the map.
template <typename Text>
struct FullName {
  Text account_id;
  Text region;
  Text table;

  template <typename Other>
  bool operator==(const FullName<Other>& other) const {
    return table == other.table && account_id == other.account_id && region == other.region;
  }
};
using FullNameView = FullName<std::string_view>;
using OwnedFullName = FullName<std::string>;

struct FullNameHash {
  using is_transparent = void;
  template <typename Text>
  std::size_t operator()(const FullName<Text>& name) const {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
    const std::hash<std::string_view> hash;
    return static_cast<std::size_t>((hash(name.table) * kSpread ^ hash(name.account_id)) * kSpread ^
                                    hash(name.region));
  }
};

struct FullNameEqual {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const FullName<A>& a, const FullName<B>& b) const {
    return a == b;
  }
};

inline FullNameView FullNameOf(const TableVersion& version) {
  return {version.account_id, version.region, version.name};
}

using Tables = absl::flat_hash_map<
    OwnedFullName, TableRef, FullNameHash, FullNameEqual,
    ReservedAllocator<std::pair<const OwnedFullName, TableRef>, MemoryPart::kLookups>>;

// A part of the catalog's lock. A look-up locks the stripe of its thread, a change locks all
// stripes. A stripe also has copies of the versions that were looked up through it: so two threads
// that use one table share neither the cache line of a lock nor the cache line of a reference
// count.
struct alignas(64) CatalogStripe {
  Mutex mutex;
  Tables copies;
};

class CatalogStripes {
 public:
  static constexpr std::size_t kStripes = 16;

  CatalogStripe& OfThisThread() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
    return stripes_[number % stripes_.size()];
  }
  void lock() {
    for (CatalogStripe& stripe : stripes_) stripe.mutex.lock();
  }
  void unlock() {
    for (CatalogStripe& stripe : stripes_) stripe.mutex.unlock();
  }
  // Moves the copies of the version to `*copies`, which has room for kStripes more; the caller
  // releases them when nothing is locked. Called with all stripes locked.
  void TakeCopies(const FullNameView& name, std::vector<TableRef>* copies) noexcept {
    for (CatalogStripe& stripe : stripes_) {
      const auto found = stripe.copies.find(name);
      if (found == stripe.copies.end()) continue;
      copies->push_back(std::move(found->second));
      stripe.copies.erase(found);
    }
  }

 private:
  std::array<CatalogStripe, kStripes> stripes_;
};

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
  // Errors: throws std::bad_alloc; call RemovePublished then, too
  void AddNewNames(std::span<const TableRef> in);
  // Removes the tables that are the published version of their name.
  void RemovePublished(std::span<const TableRef> tables) noexcept;
  // Puts the tables of `in` in place, and removes the tables of `out` whose names `in` does not
  // have. The references to the tables of `out` are added to `*removed`, which has room for them.
  void ReplaceAndRemove(std::span<const TableRef> out, std::span<const TableRef> in,
                        std::vector<TableRef>* removed) noexcept;

 private:
  Tables::iterator FindPublished(const TableVersion& version);
  void AddName(const TableRef& table);

  AccountSet accounts_;
  Tables tables_;
};

}  // namespace hashrange
