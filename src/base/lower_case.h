// Texts in lower case, for comparisons that ignore the case of the letters A to Z. Pure functions;
// any thread.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

inline char LowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerCase(c);
  return lower;
}

}  // namespace hashrange
