// Texts that are usually short, such as names of members and attributes: equality, order, case,
// kinds of ASCII characters. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace hashrange {

// Returns a == b. Each look-up by name makes several such comparisons. The == of std::string_view
// calls memcmp, and these calls took a twentieth of the time of a small write. This comparison
// makes no call.
inline bool SameText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto same = [&](auto word_of_a, std::size_t at) {
    auto word_of_b = word_of_a;
    std::memcpy(&word_of_a, a.data() + at, sizeof(word_of_a));
    std::memcpy(&word_of_b, b.data() + at, sizeof(word_of_b));
    return word_of_a == word_of_b;
  };
  const std::size_t size = a.size();
  if (size >= sizeof(std::uint64_t)) {
    const std::size_t last = size - sizeof(std::uint64_t);
    for (std::size_t at = 0; at < last; at += sizeof(std::uint64_t)) {
      if (!same(std::uint64_t{}, at)) return false;
    }
    return same(std::uint64_t{}, last);
  }
  if (size >= sizeof(std::uint32_t)) {
    return same(std::uint32_t{}, 0) && same(std::uint32_t{}, size - sizeof(std::uint32_t));
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// Returns a < b by bytes. Names usually differ in their first byte; then there is no call either.
inline bool TextLess(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty() || a[0] == b[0]) return a < b;
  return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
}

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The text in lower case, for comparisons that ignore the case of the letters A to Z.
inline char LowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerCase(c);
  return lower;
}

}  // namespace hashrange
