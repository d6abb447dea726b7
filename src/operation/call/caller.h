// Caller: the account and the Region of a call, which decide whose tables the call sees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace hashrange {

inline constexpr std::string_view kDefaultAccount = "000000000000";
inline constexpr std::string_view kDefaultRegion = "us-east-1";

// The digits of an account's id.
inline constexpr std::size_t kAccountDigits = 12;

// Whose tables a caller sees whose access key is not the id of an account.
enum class KeyOwners {
  kDefaultAccount,  // those of the default account
  kEachKey,         // those of an account that stands for the access key (AccountOfKey)
};

struct Caller {
  std::string_view account_id = kDefaultAccount;
  std::string_view region = kDefaultRegion;
};

// Returns the owner of an access key: a key of 12 digits is its account's id; any other key
// belongs to the default account. An empty Region is the default Region.
inline Caller CallerOf(std::string_view access_key, std::string_view region) {
  Caller caller;
  if (access_key.size() == kAccountDigits &&
      std::ranges::all_of(access_key, [](char c) { return c >= '0' && c <= '9'; })) {
    caller.account_id = access_key;
  }
  if (!region.empty()) caller.region = region;
  return caller;
}

// Returns the id of the account that stands for an access key, as KeyOwners::kEachKey says: the key
// itself when it is the id of an account, the default account for an empty key, otherwise 12 digits
// of a hash, which are written to `digits`. The same key has the same account in every process.
// Cost: one block of MD5 for a key that is hashed.
std::string_view AccountOfKey(std::string_view access_key, std::span<char, kAccountDigits> digits);

}  // namespace hashrange
