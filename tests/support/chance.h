// Drawn numbers for tests.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/random.h"

namespace hashrange::test {

// Returns a number from 0 to `end` - 1.
template <std::integral T>
T Below(Random& random, T end) {
  return static_cast<T>(random.Next() % static_cast<std::uint64_t>(end));
}

}  // namespace hashrange::test
