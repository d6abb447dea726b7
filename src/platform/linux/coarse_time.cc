#include "platform/coarse_time.h"

#include <ctime>

namespace hashrange {

std::int64_t CoarseEpochSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec;
}

}  // namespace hashrange
