// Draw is what an access takes throughput for, as far as the partition model tells accesses apart;
// ThrottlingLimit is what refuses it. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "value/key.h"

namespace hashrange {

enum class Direction : std::uint8_t { kRead, kWrite };

struct Draw {
  Direction direction = Direction::kRead;
  // Of a read: one that is strongly consistent or in a transaction. A partition's leader serves it;
  // any of three replicas serves an eventually consistent read.
  bool is_strong = false;
  // Whether it reads a range of positions (a Query, a Scan), not one item.
  bool is_range = false;
};

inline constexpr Direction kDirections[] = {Direction::kRead, Direction::kWrite};
inline constexpr std::size_t kReplicas = 3;  // of a partition; the first is the leader

// Returns what a replica has to do for an access: an eventually consistent read costs half a unit,
// but is a whole read.
inline double WorkOf(Draw draw, double units) {
  return draw.direction == Direction::kRead && !draw.is_strong ? 2 * units : units;
}

// The positions of an access: the position of one item, or all from `first` to `last`, both
// included.
struct PositionSpan {
  Position first;
  Position last;
};

// Which limit an access meets; the last part of a throttling reason
// (docs/service/20-partition-model.md, section 3).
enum class ThrottlingLimit : std::uint8_t { kProvisioned, kKeyRange, kMaxOnDemand, kAccount };
inline constexpr std::size_t kThrottlingLimits = 4;

}  // namespace hashrange
