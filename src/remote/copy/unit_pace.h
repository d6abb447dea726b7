// UnitPace spreads capacity units over time, so that no more than a number of them is used in a
// second. Each caller reserves the units of its next call, and is told how long to wait:
//
//   UnitPace pace(100);               // units a second
//   pace.Reserve(50, now) → 0 s       // the first 50 units
//   pace.Reserve(25, now) → 0.5 s     // they begin when the 50 are over
//   pace.Add(25)                      // the call used 25 units more than were reserved
//
// Thread-safe. It reads no clock.
#pragma once

#include <chrono>
#include <mutex>

namespace hashrange {

class UnitPace {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Wait = std::chrono::steady_clock::duration;

  // 0 units a second: there is no limit.
  explicit UnitPace(double units_a_second) : units_a_second_(units_a_second) {}

  bool has_limit() const { return units_a_second_ > 0; }
  double units_a_second() const { return units_a_second_; }
  // Returns how long the caller has to wait before it uses the units.
  Wait Reserve(double units, Time now);
  // Corrects what was reserved: `units` more were used, or fewer where it is negative.
  void Add(double units);

 private:
  Wait TimeOf(double units) const;

  const double units_a_second_;
  std::mutex mutex_;
  Time next_ = {};  // when all that was reserved is over
};

}  // namespace hashrange
