// UnitMeter counts the capacity units of one kind, reads or writes, that a copy uses at one
// endpoint, keeps them to a number per second, and counts what they cost. Spending is the sum of
// the costs, and its bound. Thread-safe.
#pragma once

#include <limits>
#include <mutex>

#include "base/result.h"
#include "remote/copy/patient_call.h"
#include "remote/copy/unit_pace.h"

namespace hashrange {

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
