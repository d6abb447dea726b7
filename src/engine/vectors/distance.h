// Rows of floats.
#pragma once

#include <cstddef>

namespace hashrange {

// A row begins at a multiple of 64 bytes, and is as long as a whole number of these.
constexpr std::size_t RowStride(int dimensions) {
  return (static_cast<std::size_t>(dimensions) + 15) / 16 * 16;
}

struct RowBlock {
  const float* rows = nullptr;
  std::size_t count = 0;
  const float* norms = nullptr;
};

float NormOf(const float* row, int dimensions);

}  // namespace hashrange
