#include "cli/json_layout.h"

#include <cstddef>

namespace hashrange {

std::string IndentJson(std::string_view json) {
  std::string text;
  std::size_t depth = 0;
  bool in_string = false;
  const auto new_line = [&] { text.append("\n").append(2 * depth, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const char next = i + 1 < json.size() ? json[i + 1] : '\0';
    if (in_string) {
      text.push_back(c);
      if (c == '\\' && next != '\0') text.push_back(json[++i]);
      in_string = c != '"';
      continue;
    }
    const bool opens = c == '{' || c == '[';
    const bool closes = c == '}' || c == ']';
    if (opens && (next == '}' || next == ']')) {
      text.push_back(c);
      text.push_back(json[++i]);
      continue;
    }
    if (closes && depth > 0) {
      --depth;
      new_line();
    }
    text.push_back(c);
    if (opens) ++depth;
    if (opens || c == ',') new_line();
    if (c == ':') text.push_back(' ');
    in_string = c == '"';
  }
  return text;
}

}  // namespace hashrange
