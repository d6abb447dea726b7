// FloatText: a floating-point number as text, with a fraction or an exponent, as the front end of
// SearchVectors prints numbers (docs/service/15-vector-search.md, section 7). Pure functions.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace hashrange {

// Returns the shortest decimal that names the finite number: "0.1", "1.0", "-16777216.0". Below
// 0.00001 and from 1E16 on, the decimal has an exponent: "1.5e-7", "1e20" (unverified).
template <typename Float>
std::string FloatText(Float value) {
  char buffer[32];
  const char* const end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::size_t mark = text.find('e');
  const char* const exponent_text = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
  int exponent = 0;
  std::from_chars(exponent_text, end, exponent);
  std::string digits(text.substr(0, 1));
  if (mark > 2) digits.append(text.substr(2, mark - 2));

  std::string out(is_negative ? "-" : "");
  const int count = static_cast<int>(digits.size());
  if (exponent < -5 || exponent >= 16) {
    if (count > 1) digits.insert(1, ".");
    return out.append(digits).append("e").append(std::to_string(exponent));
  }
  if (exponent < 0) {
    return out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
  }
  if (count <= exponent + 1) {
    digits.append(static_cast<std::size_t>(exponent + 1 - count), '0');
    return out.append(digits).append(".0");
  }
  return out.append(digits.insert(static_cast<std::size_t>(exponent + 1), "."));
}

}  // namespace hashrange
