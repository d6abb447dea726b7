// Caller: who makes a call, which decides whose tables it sees.
#pragma once

#include <string_view>

namespace hashrange {

inline constexpr std::string_view kDefaultAccount = "000000000000";
inline constexpr std::string_view kDefaultRegion = "us-east-1";

struct Caller {
  std::string_view account_id = kDefaultAccount;
  std::string_view region = kDefaultRegion;
};

// The owner of an access key, in a Region: a key of 12 digits is the account's id, any other
// is the default account's. An empty Region is the default one.
Caller CallerOf(std::string_view access_key, std::string_view region);

}  // namespace hashrange
