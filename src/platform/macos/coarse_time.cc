#include "platform/coarse_time.h"

#include <ctime>

namespace hashrange {

std::int64_t CoarseEpochSeconds() { return std::time(nullptr); }

}  // namespace hashrange
