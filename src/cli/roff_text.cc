#include "cli/roff_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace hashrange {
namespace {

constexpr std::size_t kLineCharacters = 78;

struct EscapeRow {
  char character;
  std::string_view roff;
};
// The characters that roff takes for something else, or prints as a look-alike.
constexpr EscapeRow kEscapes[] = {
    {'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
    {'^', "\\(ha"}, {'~', "\\(ti"}, {'"', "\\(dq"},
};

// Removes the first character from `text`, which is valid UTF-8, and returns its code point.
std::uint32_t TakeCodePoint(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t code_point = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (const char byte : text.substr(1, bytes - 1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  }
  text.remove_prefix(std::min(bytes, text.size()));
  return code_point;
}

}  // namespace

std::string RoffText(std::string_view text) {
  std::string roff = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  while (!text.empty()) {
    const std::uint32_t code_point = TakeCodePoint(text);
    if (code_point >= 0x80) {
      char escaped[16];
      std::snprintf(escaped, sizeof(escaped), "\\[u%04X]", code_point);
      roff += escaped;
      continue;
    }
    const char character = static_cast<char>(code_point);
    const auto* const row = std::ranges::find(kEscapes, character, &EscapeRow::character);
    if (row == std::end(kEscapes)) {
      roff += character;
    } else {
      roff += row->roff;
    }
  }
  return roff;
}

void AppendRoffLines(std::string_view words, std::string& page) {
  std::size_t column = 0;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const bool is_path = words.substr(0, end).find('/') != words.npos;
    const std::string word = (is_path ? "\\%" : "") + RoffText(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
    if (column > 0 && column + 1 + word.size() > kLineCharacters) {
      page += '\n';
      column = 0;
    } else if (column > 0) {
      page += ' ';
      ++column;
    }
    page += word;
    column += word.size();
  }
  if (column > 0) page += '\n';
}

}  // namespace hashrange
