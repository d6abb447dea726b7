// Draw: what an access takes throughput for, as far as the partition model tells accesses apart.
// Plain data.
#pragma once

#include <cstdint>

#include "value/key.h"

namespace hashrange {

enum class Direction : std::uint8_t { kRead, kWrite };

struct Draw {
  Direction direction = Direction::kRead;
  // Of a read: one that is strongly consistent or in a transaction. A partition's leader serves it;
  // any of three replicas serves an eventually consistent read.
  bool is_strong = false;
};

// The positions of an access: those of one item, or all from `first` to `last`, both included.
struct PositionSpan {
  Position first;
  Position last;
};

}  // namespace hashrange
