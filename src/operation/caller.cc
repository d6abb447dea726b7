#include "operation/caller.h"

#include <algorithm>

namespace hashrange {

Caller CallerOf(std::string_view access_key, std::string_view region) {
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
