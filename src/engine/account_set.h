// AccountSet: the accounts that have tables: the names of these, and the idempotency tokens. An
// account is made by its first table. One that has neither tables nor tokens is dropped.
// Not thread-safe: the catalog locks it.
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
 public:
  struct Account {
    std::set<std::string, std::less<>> table_names;
    std::shared_ptr<IdempotencyTokens> tokens = std::make_shared<IdempotencyTokens>();
  };

  explicit AccountSet(const Clock& clock) : clock_(clock) {}

  // The account and Region; null when it is not there.
  const Account* Find(AccountName name) const;
  // Calls `visit(name, account)` for the accounts and Regions of the scope, ascending.
  template <typename Visit>
  void ForEach(const Scope& scope, Visit&& visit) const;

  void AddTable(const TableVersion& table);
  // The table is there. Its account stays until DropIdle.
  void RemoveTable(const TableVersion& table);

  // The tokens of the accounts and Regions of the scope are unknown again or, if it names a table,
  // those of requests that used one of `tables`.
  void ForgetTokens(const Scope& scope, std::span<const TableRef> tables);

 private:
  using Key = std::pair<std::string, std::string>;  // account id, Region

  // Compared without making strings.
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
  // Accounts that are dropped, to be freed when nothing is locked.
  using Dropped = std::vector<Accounts::node_type>;
  static constexpr int kMostDropped = 4;
  // Looks at up to kMostDropped of the accounts without tables, at others each time, and drops
  // those whose tokens nobody can use any more.
  void DropIdle(Dropped* dropped);

 private:
  const Clock& clock_;
  Accounts accounts_;
  std::set<Key> without_tables_;  // of the accounts
  Key looked_at_;                 // where among them DropIdle goes on
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
