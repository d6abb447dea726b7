#include "base/duration.h"

#include <algorithm>
#include <cstddef>

namespace hashrange {
namespace {

constexpr std::size_t kMostDigits = 15;  // of kLongestDurationMs, the largest valid number

struct Unit {
  std::string_view name;
  std::int64_t ms;
};
constexpr Unit kUnits[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

}  // namespace

std::optional<std::int64_t> ParseDuration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > kMostDigits) return std::nullopt;
  std::int64_t number = 0;
  for (const char digit : text.substr(0, digits)) number = number * 10 + (digit - '0');
  const std::string_view unit_name = text.substr(digits);
  if (unit_name.empty() && number == 0) return 0;
  for (const Unit& unit : kUnits) {
    if (unit.name != unit_name) continue;
    if (number > kLongestDurationMs / unit.ms) return std::nullopt;
    return number * unit.ms;
  }
  return std::nullopt;
}

}  // namespace hashrange
