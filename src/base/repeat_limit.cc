#include "base/repeat_limit.h"

namespace hashrange {

bool RepeatLimit::Admits(std::size_t cause, TimePoint now) {
  std::lock_guard lock(mutex_);
  Said& said = said_[cause % said_.size()];
  const bool is_known = said.cause == cause && said.at != TimePoint();
  if (is_known && now - said.at < kPause) return false;
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    in_second_ = 0;
  }
  if (in_second_ == kMaxPerSecond) return false;
  ++in_second_;
  said = {cause, now};
  return true;
}

}  // namespace hashrange
