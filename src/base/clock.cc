#include "base/clock.h"

#include <chrono>

namespace hashrange {

std::int64_t SystemClock::NowEpochMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace hashrange
