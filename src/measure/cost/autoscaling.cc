#include "measure/cost/autoscaling.h"

#include <algorithm>
#include <cmath>

namespace hashrange {
namespace {

constexpr double kTarget = 0.7;
constexpr double kLowUse = 0.5;
constexpr double kMinutesBeforeMore = 2;
constexpr double kMinutesBeforeLess = 15;
// After so many minutes of a constant load, capacity has grown or shrunk as far as it will.
constexpr double kSteadyMinutes = 32;
constexpr double kLeastCapacity = 1;
// Keeps a load of exactly 70 % from rounding to one unit too many.
constexpr double kRounding = 1e-9;

}  // namespace

double Autoscaling::CapacityFor(double units_per_second) {
  return std::max(kLeastCapacity, std::ceil(units_per_second / kTarget - kRounding));
}

void Autoscaling::Add(double units_per_second, double minutes) {
  if (capacity_ == 0) capacity_ = CapacityFor(units_per_second);
  double left = minutes;
  for (double done = 0; left > 0 && done < kSteadyMinutes;) {
    const double step = std::min(1.0, left);
    Step(units_per_second, step);
    left -= step;
    done += step;
  }
  if (left > 0) Step(units_per_second, left);
}

void Autoscaling::Step(double units_per_second, double minutes) {
  minutes_ += minutes;
  capacity_minutes_ += capacity_ * minutes;
  units_above_ += std::max(0.0, units_per_second - capacity_) * minutes * 60;

  const bool is_above = units_per_second > capacity_ * kTarget + kRounding;
  minutes_above_target_ = is_above ? minutes_above_target_ + minutes : 0;
  const bool is_far_below = units_per_second < capacity_ * kLowUse;
  minutes_far_below_ = is_far_below ? minutes_far_below_ + minutes : 0;
  most_while_below_ = is_far_below ? std::max(most_while_below_, units_per_second) : 0;

  if (minutes_above_target_ >= kMinutesBeforeMore) {
    capacity_ = CapacityFor(units_per_second);
    minutes_above_target_ = 0;
  } else if (minutes_far_below_ >= kMinutesBeforeLess) {
    capacity_ = std::min(capacity_, CapacityFor(most_while_below_));
    minutes_far_below_ = 0;
    most_while_below_ = 0;
  }
}

}  // namespace hashrange
