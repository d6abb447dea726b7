#include "engine/stream/sequence_number.h"

#include <algorithm>
#include <charconv>

namespace hashrange {
namespace {

// The text is a 1, then the number in as many digits as a uint64 may have.
constexpr std::size_t kNumberDigits = 20;

}  // namespace

std::string SequenceNumberText(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  return std::string("1").append(kNumberDigits - digits.size(), '0').append(digits);
}

std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.size() <= kNumberDigits) return 0;
  if (text.size() > kNumberDigits + 1 || text.front() != '1') return UINT64_MAX;
  std::uint64_t number = UINT64_MAX;  // from_chars leaves the value when the text is out of range
  std::from_chars(text.data() + 1, text.data() + text.size(), number);
  return number;
}

}  // namespace hashrange
