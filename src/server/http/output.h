// Output: answers that are not sent yet, in one piece of memory. A worker puts the answers of
// several connections into one output, with a slice for each connection. There may be unused room
// before the first answer of a slice: room for the head is reserved before the body, and the head
// is written at the end of this room.
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
  std::size_t begin = 0;  // the first byte of that slice that is to be sent

  void BeginSlice() { slice = begin = bytes.size(); }
  std::string_view pending() const { return bytes.view().substr(begin); }
  // Drops the answers that were appended after `bytes` had the size `size`.
  void DropFrom(std::size_t size) {
    bytes.Truncate(size);
    begin = std::min(begin, size);
  }
};

}  // namespace hashrange
