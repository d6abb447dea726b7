// AccountSet: the accounts that have tables, with the names of the tables and the idempotency
// tokens of each account and Region. An account is added with its first table. An account that has
// neither tables nor tokens is dropped.
// Not thread-safe: the catalog's lock guards it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/account_name.h"
#include "engine/idempotency_tokens.h"
#include "engine/table_version.h"

namespace hashrange {

class AccountSet {
  using Key = std::pair<std::string, std::string>;  // account id, Region

 public:
  struct Account {
    std::set<std::string, std::less<>> table_names;
    std::shared_ptr<IdempotencyTokens> tokens = std::make_shared<IdempotencyTokens>();
    // While the account has tables: its entry for the set of accounts without tables. So
    // RemoveTable needs no memory.
    std::set<Key>::node_type idle_entry;
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
  // Compares keys and names without making strings.
  struct Order {
    using is_transparent = void;
    static std::pair<std::string_view, std::string_view> View(const AccountName& name) {
      return {name.account_id, name.region};
    }
    static std::pair<std::string_view, std::string_view> View(const Key& key) {
      return {key.first, key.second};
    }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return View(a) < View(b);
    }
  };
  using Accounts = std::map<Key, Account, Order>;

 public:
  // Dropped accounts. The caller frees them when nothing is locked.
  using Dropped = std::vector<Accounts::node_type>;
  static constexpr int kMostDropped = 4;
  // Drops accounts without tables whose tokens have all expired. Each call looks at up to
  // kMostDropped accounts and continues where the last call stopped.
  void DropIdle(Dropped* dropped);

 private:
  // Returns the account and Region, which is added without tables if it is not there.
  Account& FindOrAdd(const Key& key);

  const Clock& clock_;
  Accounts accounts_;
  std::set<Key> without_tables_;  // the accounts without tables
  Key next_to_check_;             // an account without tables: the next DropIdle begins here
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

}  // namespace hashrange
