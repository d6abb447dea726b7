// Drawn numbers for the tests of this folder.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace hashrange::test {

// Returns a number from 0 to `end` - 1.
inline std::uint64_t Below(Random& random, std::uint64_t end) { return random.Next() % end; }

}  // namespace hashrange::test
