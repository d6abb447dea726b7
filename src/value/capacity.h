// The capacity units that an item of some size uses when it is written, or is read with strong
// consistency (docs/service/08-capacity.md, section 2): 1 for each 1 KB that is written or 4 KB
// that is read, rounded up, and at least 1. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace hashrange {

inline constexpr std::size_t kWriteUnitBytes = 1024;
inline constexpr std::size_t kReadUnitBytes = 4096;

constexpr double WriteUnitsOfSize(std::size_t size_bytes) {
  const auto units =
      static_cast<std::int64_t>((size_bytes + kWriteUnitBytes - 1) / kWriteUnitBytes);
  return static_cast<double>(std::max<std::int64_t>(1, units));
}
constexpr double ReadUnitsOfSize(std::size_t size_bytes) {
  const auto units = static_cast<std::int64_t>((size_bytes + kReadUnitBytes - 1) / kReadUnitBytes);
  return static_cast<double>(std::max<std::int64_t>(1, units));
}

// The same of a size that is an average or an estimate, and so may have a fraction of a byte.
inline double WriteUnitsOfMean(double size_bytes) {
  return std::max(1.0, std::ceil(size_bytes / kWriteUnitBytes));
}
inline double ReadUnitsOfMean(double size_bytes) {
  return std::max(1.0, std::ceil(size_bytes / kReadUnitBytes));
}

}  // namespace hashrange
