// AccountName and Scope: which account and Region, and which tables, a call is about.
#pragma once

#include <optional>
#include <string_view>

namespace hashrange {

// The owner of tables: a 12-digit account id and a Region.
struct AccountName {
  std::string_view account_id;
  std::string_view region;
};

// Selects tables by account, Region and name. A member that is absent selects all.
struct Scope {
  std::optional<std::string_view> account_id = {};
  std::optional<std::string_view> region = {};
  std::optional<std::string_view> table = {};
};

}  // namespace hashrange
