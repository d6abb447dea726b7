// Output: answers on their way out, in one piece. The first answer of an output may leave
// unused room in front of it (its head was written towards its body).
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/output_buffer.h"

namespace hashrange {

struct Output {
  OutputBuffer bytes;
  std::size_t begin = 0;  // the first byte to send

  std::string_view pending() const { return bytes.view().substr(begin); }
  void Clear() {
    bytes.Clear();
    begin = 0;
  }
  // Takes what was appended since it had `size` bytes.
  Output SplitFrom(std::size_t size) {
    if (size == 0) return std::exchange(*this, {});
    Output tail;
    tail.bytes.Append(bytes.view().substr(size));
    bytes.Truncate(size);
    return tail;
  }
};

}  // namespace hashrange
