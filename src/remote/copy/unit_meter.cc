#include "remote/copy/unit_meter.h"

#include <chrono>

#include "measure/number_text.h"

namespace hashrange {

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
  return Error{
      ErrorCode::kInternalServerError,
      "the copy has cost " + UsdText(spent) + ", and --spend allows " + UsdText(limit_usd_),
      nullptr};
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
