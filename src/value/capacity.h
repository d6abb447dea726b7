// WriteUnits and ReadUnits return the capacity units that an item of `size_bytes` uses when it is
// written, or is read with strong consistency (docs/service/08-capacity.md, section 2): 1 for each
// 1 KB that is written or 4 KB that is read, rounded up, and at least 1. Pure functions; any
// thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hashrange {

constexpr std::int64_t WriteUnits(std::size_t size_bytes) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>((size_bytes + 1023) / 1024));
}
constexpr std::int64_t ReadUnits(std::size_t size_bytes) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>((size_bytes + 4095) / 4096));
}

}  // namespace hashrange
