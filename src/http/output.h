// Output: answers on their way out, in one piece. The first answer of an output may leave
// unused room in front of it (its head was written towards its body).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace hashrange {

struct Output {
  std::string bytes;
  std::size_t begin = 0;  // the first byte to send

  std::string_view pending() const { return std::string_view(bytes).substr(begin); }
  void Clear() {
    bytes.clear();
    begin = 0;
  }
  // Takes what was appended since the string had `size` bytes.
  Output SplitFrom(std::size_t size) {
    if (size == 0) return std::exchange(*this, {});
    Output tail{bytes.substr(size), 0};
    bytes.resize(size);
    return tail;
  }
};

}  // namespace hashrange
