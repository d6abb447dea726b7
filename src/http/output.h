// Output: answers on their way out, in one piece. A worker puts the answers to several
// connections into one output, a slice for each. The first answer of a slice may leave
// unused room in front of it (its head was written towards its body).
//
//   [ slices of others | unused | answers ]
//                      slice    begin
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/output_buffer.h"

namespace hashrange {

struct Output {
  OutputBuffer bytes;
  std::size_t slice = 0;  // where the last slice starts
  std::size_t begin = 0;  // its first byte to send

  void BeginSlice() { slice = begin = bytes.size(); }
  std::string_view pending() const { return bytes.view().substr(begin); }
  // What was answered since there were `size` bytes is not to be sent.
  void DropFrom(std::size_t size) {
    bytes.Truncate(size);
    begin = std::min(begin, size);
  }
};

}  // namespace hashrange
