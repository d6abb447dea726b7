// A list of words, made at compile time from one text. A pure function.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hashrange {

// Returns the words of `text`. A blank follows each of them, the last one too.
template <std::size_t kCount>
constexpr std::array<std::string_view, kCount> WordsIn(std::string_view text) {
  std::array<std::string_view, kCount> words;
  std::size_t begin = 0;
  for (std::string_view& word : words) {
    const std::size_t end = text.find(' ', begin);
    word = text.substr(begin, end - begin);
    begin = end + 1;
  }
  return words;
}

}  // namespace hashrange
