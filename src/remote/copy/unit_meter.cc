#include "remote/copy/unit_meter.h"

#include <algorithm>
#include <chrono>

#include "measure/number_text.h"

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

void Spending::Add(double usd) {
  std::lock_guard lock(mutex_);
  usd_ += usd;
}

double Spending::usd() const {
  std::lock_guard lock(mutex_);
  return usd_;
}

Status Spending::Check() const {
  const double spent = usd();
  if (spent <= limit_usd_) return {};
  return InternalError("the copy has cost " + UsdText(spent) + ", and --spend allows " +
                       UsdText(limit_usd_));
}

Status UnitMeter::Begin(double expected) {
  HR_RETURN_IF_ERROR(spending_.Check());
  stop_.Wait(pace_.Reserve(expected, std::chrono::steady_clock::now()));
  if (stop_.IsSet()) return StoppedError();
  return {};
}

void UnitMeter::End(double expected, double used, double usd_a_unit) {
  pace_.Add(used - expected);
  spending_.Add(used * usd_a_unit);
  std::lock_guard lock(mutex_);
  units_ += used;
}

double UnitMeter::units() const {
  std::lock_guard lock(mutex_);
  return units_;
}

}  // namespace hashrange
