// The capacity units of an access to an item of that size (docs/service/08-capacity.md, section 2):
// 1 for each begun 1 KB written, or 4 KB read with strong consistency. Pure functions; any thread.
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
