// JSON for golden files.
#pragma once

#include <cstddef>
#include <string>

namespace hashrange {

// Puts each member and element of the outer levels on a line of its own, so that the golden file
// can be read.
inline std::string InLines(const std::string& json) {
  std::string text;
  bool is_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    text.push_back(json[at]);
    if (is_text && json[at] == '\\') {
      text.push_back(json[++at]);  // the escaped character
      continue;
    }
    if (json[at] == '"') is_text = !is_text;
    if (!is_text && json[at] == ',') text.push_back('\n');
  }
  return text + "\n";
}

}  // namespace hashrange
