// What some C++ libraries still lack, libc++ 16 among them: each function is the standard's where
// there is one. Pure functions.
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace hashrange {

// What FromChars does without std::from_chars for floating-point numbers: it asks the C library,
// which also takes blanks, a plus sign and hexadecimal digits.
template <typename Float>
std::from_chars_result FromCharsByC(const char* first, const char* last, Float& value) {
  const std::string_view all(first, static_cast<std::size_t>(last - first));
  const std::size_t sign = all.starts_with('-') ? 1 : 0;
  std::size_t size = std::min(all.find_first_not_of("0123456789.eE+-", sign), all.size());
  const bool is_name = size == sign && sign < all.size() &&
                       std::string_view("iInN").find(all[sign]) != std::string_view::npos;
  if (is_name) size = all.size();  // of an infinity or of no number
  const std::string text(all.substr(0, size));
  if (size == sign || text[sign] == '+' || text[sign] == '-' || text[sign] == 'e' ||
      text[sign] == 'E') {
    return {first, std::errc::invalid_argument};
  }
  char* end = nullptr;
  Float read = 0;
  if constexpr (sizeof(Float) == sizeof(float)) {
    read = std::strtof(text.c_str(), &end);
  } else {
    read = std::strtod(text.c_str(), &end);
  }
  if (end == text.c_str()) return {first, std::errc::invalid_argument};
  const std::string_view taken(text.c_str(), static_cast<std::size_t>(end - text.c_str()));
  const std::string_view digits = taken.substr(0, taken.find_first_of("eE"));
  const bool is_zero = digits.find_first_of("123456789") == std::string_view::npos;
  const bool is_far = !is_name && (std::isinf(read) || (read == 0 && !is_zero));
  if (is_far) return {first + taken.size(), std::errc::result_out_of_range};
  value = read;
  return {first + taken.size(), std::errc()};
}

#ifdef __cpp_lib_to_chars
inline constexpr bool kFromCharsReadsDecimals = true;
#else
inline constexpr bool kFromCharsReadsDecimals = false;
#endif

// std::from_chars for a number of any type, in decimal.
template <typename T>
std::from_chars_result FromChars(const char* first, const char* last, T& value) {
  if constexpr (kFromCharsReadsDecimals || std::is_integral_v<T>) {
    return std::from_chars(first, last, value);
  } else {
    return FromCharsByC(first, last, value);
  }
}

// std::lexicographical_compare_three_way.
template <typename A, typename B>
constexpr auto CompareRanges(A a, A a_end, B b, B b_end) {
#ifdef __cpp_lib_three_way_comparison
  return std::lexicographical_compare_three_way(a, a_end, b, b_end);
#else
  for (; a != a_end && b != b_end; ++a, ++b) {
    if (const auto order = *a <=> *b; order != 0) return order;
  }
  return (a != a_end) <=> (b != b_end);
#endif
}

}  // namespace hashrange
