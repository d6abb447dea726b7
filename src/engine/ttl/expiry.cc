#include "engine/ttl/expiry.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "value/number.h"

namespace hashrange {
namespace {

// So many digits of seconds are three million years, which fit into 64 bits as milliseconds.
constexpr std::size_t kMostSecondsDigits = 14;
constexpr std::size_t kFractionDigits = 3;

}  // namespace

std::optional<std::int64_t> ExpiryEpochMs(const ValueView& value) {
  if (value.type != AttributeType::kN) return std::nullopt;
  char text[Number::kMaxTextBytes];
  const auto length = static_cast<std::size_t>(WriteNumberText(value.bytes(), text));
  const std::string_view number(text, length);
  const std::size_t point = std::min(number.find('.'), length);
  if (number.front() == '-' || point > kMostSecondsDigits) return std::nullopt;
  std::int64_t epoch_ms = 0;
  for (const char digit : number.substr(0, point)) epoch_ms = epoch_ms * 10 + (digit - '0');
  for (std::size_t i = 1; i <= kFractionDigits; ++i) {
    const char digit = point + i < length ? number[point + i] : '0';
    epoch_ms = epoch_ms * 10 + (digit - '0');
  }
  return epoch_ms;
}

}  // namespace hashrange
