#include "operation/call/caller.h"

#include <cstdint>

#include "base/checksums.h"

namespace hashrange {

std::string_view AccountOfKey(std::string_view access_key, std::span<char, kAccountDigits> digits) {
  const Caller caller = CallerOf(access_key, {});
  if (access_key.empty() || caller.account_id.data() == access_key.data()) return caller.account_id;
  std::uint64_t number = Md5High64("access key ", access_key);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    *digit = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  return {digits.data(), digits.size()};
}

}  // namespace hashrange
