// UnitMeter counts the capacity units of one kind, reads or writes, that a copy uses at one
// endpoint, keeps them to a number per second, and counts what they cost. Spending is the sum of
// the costs, and its bound. Thread-safe.
#pragma once

#include <chrono>
#include <limits>
#include <mutex>

#include "base/result.h"
#include "remote/copy/patient_call.h"

namespace hashrange {

// Spreads capacity units over time, so that no more than a number of them is used in a
// second. Each caller reserves the units of its next call, and is told how long to wait:
//
//   UnitPace pace(100);               // units a second
//   pace.Reserve(50, now) → 0 s       // the first 50 units
//   pace.Reserve(25, now) → 0.5 s     // they begin when the 50 are over
//   pace.Add(25)                      // the call used 25 units more than were reserved
//
// Thread-safe. It reads no clock.
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

class Spending {
 public:
  // US$: what may be spent in all, and what an earlier run of the copy has spent.
  Spending(double limit_usd, double spent_usd) : limit_usd_(limit_usd), usd_(spent_usd) {}

  void Add(double usd);
  double usd() const;
  // Errors: InternalServerError  the bound is reached
  Status Check() const;

 private:
  const double limit_usd_;
  mutable std::mutex mutex_;
  double usd_;
};

class UnitMeter {
 public:
  // Both outlive the object. 0 units a second: as many as the endpoint takes.
  UnitMeter(double units_a_second, Spending& spending, const CopyStop& stop)
      : pace_(units_a_second), spending_(spending), stop_(stop) {}

  // Waits until a call may be made that uses about so many units.
  // Errors: InternalServerError  no more may be spent, or the copy is to stop
  Status Begin(double expected);
  // Counts what the call has used.
  void End(double expected, double used, double usd_a_unit);

  double units() const;
  const UnitPace& pace() const { return pace_; }

 private:
  UnitPace pace_;
  Spending& spending_;
  const CopyStop& stop_;
  mutable std::mutex mutex_;
  double units_ = 0;
};

}  // namespace hashrange
