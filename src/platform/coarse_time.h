// The machine's time in whole seconds, as cheaply as the system gives it. Any thread.
#pragma once

#include <cstdint>

namespace hashrange {

// Returns the seconds since 1970. A new second may be seen some milliseconds late.
std::int64_t CoarseEpochSeconds();

}  // namespace hashrange
