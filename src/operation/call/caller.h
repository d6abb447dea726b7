// Caller: the account and the Region of a call, which decide whose tables the call sees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hashrange {

inline constexpr std::string_view kDefaultAccount = "000000000000";
inline constexpr std::string_view kDefaultRegion = "us-east-1";

struct Caller {
  std::string_view account_id = kDefaultAccount;
  std::string_view region = kDefaultRegion;
};

// Returns the owner of an access key: a key of 12 digits is its account's id; any other key
// belongs to the default account. An empty Region is the default Region.
inline Caller CallerOf(std::string_view access_key, std::string_view region) {
  constexpr std::size_t kAccountDigits = 12;
  Caller caller;
  if (access_key.size() == kAccountDigits &&
      std::ranges::all_of(access_key, [](char c) { return c >= '0' && c <= '9'; })) {
    caller.account_id = access_key;
  }
  if (!region.empty()) caller.region = region;
  return caller;
}

}  // namespace hashrange
