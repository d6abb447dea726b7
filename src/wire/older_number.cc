#include "wire/older_number.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

namespace hashrange {
namespace {

// Returns the exponent, which is written behind position `e`; none when it is beyond 64 bits.
std::optional<std::int64_t> ExponentAt(std::string_view text, std::size_t e) {
  std::string_view written = text.substr(e + 1);
  if (written.starts_with('+')) written.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] =
      std::from_chars(written.data(), written.data() + written.size(), exponent);
  if (error != std::errc()) return std::nullopt;
  return exponent;
}

bool FitsInt32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

// Numbers whose exponent is not large are the same in both layers.
NumberError ParseOlderNumber(std::string_view text, Number* out) {
  const NumberError error = Number::Parse(text, out);
  const std::size_t e = text.find_first_of("eE");
  if (error == NumberError::kNotANumber || e == std::string_view::npos) return error;
  const std::string_view mantissa = text.substr(0, e);
  const std::int64_t exponent = ExponentAt(text, e).value_or(0);
  const std::size_t whole = mantissa.substr(0, mantissa.find('.')).find_last_of("0123456789");
  const std::size_t first = mantissa.find_first_of("0123456789");
  const std::uint64_t digits = whole == std::string_view::npos ? 0 : whole - first + 1;
  const std::uint64_t magnitude = static_cast<std::uint64_t>(exponent) + digits;
  const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(magnitude));
  if (static_cast<std::uint64_t>(static_cast<std::int64_t>(wrapped)) == magnitude) return error;
  const std::int64_t rewritten = wrapped - static_cast<std::int64_t>(digits);
  return Number::Parse(std::string(mantissa).append("e").append(std::to_string(rewritten)), out);
}

bool FitsDecimal(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return true;
  const std::optional<std::int64_t> exponent = ExponentAt(text, e);
  if (!exponent || !FitsInt32(*exponent)) return false;
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  const std::size_t fraction = point == std::string_view::npos ? 0 : mantissa.size() - point - 1;
  return FitsInt32(static_cast<std::int64_t>(fraction) - *exponent);
}

}  // namespace hashrange
