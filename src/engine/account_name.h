// AccountName and Scope: which account and Region, and which tables, a call is about; AccountKey:
// an account and Region as the key of a map.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hashrange {

// The owner of tables: a 12-digit account id and a Region.
struct AccountName {
  std::string_view account_id;
  std::string_view region;
};

// An AccountName with strings of its own.
struct AccountKey {
  std::string account_id;
  std::string region;

  friend auto operator<=>(const AccountKey&, const AccountKey&) = default;
};

// Orders keys. It also compares keys with names, so that a look-up allocates nothing.
struct AccountOrder {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return std::pair<std::string_view, std::string_view>(a.account_id, a.region) <
           std::pair<std::string_view, std::string_view>(b.account_id, b.region);
  }
};

// Selects tables by account, Region and name. A member that is absent selects all.
struct Scope {
  std::optional<std::string_view> account_id = {};
  std::optional<std::string_view> region = {};
  std::optional<std::string_view> table = {};
};

}  // namespace hashrange
