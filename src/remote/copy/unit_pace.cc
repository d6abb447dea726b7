#include "remote/copy/unit_pace.h"

#include <algorithm>

namespace hashrange {

UnitPace::Wait UnitPace::TimeOf(double units) const {
  return std::chrono::duration_cast<Wait>(std::chrono::duration<double>(units / units_a_second_));
}

UnitPace::Wait UnitPace::Reserve(double units, Time now) {
  if (!has_limit()) return Wait::zero();
  std::lock_guard lock(mutex_);
  const Time begin = std::max(next_, now);
  next_ = begin + TimeOf(units);
  return begin - now;
}

void UnitPace::Add(double units) {
  if (!has_limit()) return;
  std::lock_guard lock(mutex_);
  next_ += TimeOf(units);
}

}  // namespace hashrange
