#include "base/repeat_limit.h"

namespace hashrange {

bool RepeatLimit::Admits(std::size_t cause, TimePoint now) {
  std::lock_guard lock(mutex_);
  LoggedLine& last = last_lines_[cause % last_lines_.size()];
  const bool is_known = last.cause == cause && last.at != TimePoint();
  if (is_known && now - last.at < kPause) return false;
  if (now - second_begin_ >= std::chrono::seconds(1)) {
    second_begin_ = now;
    lines_in_second_ = 0;
  }
  if (lines_in_second_ == kMaxPerSecond) return false;
  ++lines_in_second_;
  last = {cause, now};
  return true;
}

}  // namespace hashrange
