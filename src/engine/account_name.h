// Whose tables, and which.
#pragma once

#include <optional>
#include <string_view>

namespace hashrange {

// Whose tables: a 12-digit account id and a region.
struct AccountName {
  std::string_view account_id;
  std::string_view region;
};

// Which tables: those of an account, of a Region, of a name; where one is left out, of all.
struct Scope {
  std::optional<std::string_view> account_id = {};
  std::optional<std::string_view> region = {};
  std::optional<std::string_view> table = {};
};

}  // namespace hashrange
