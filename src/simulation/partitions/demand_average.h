// DemandAverage: the moving average of a demand in units a second. Each second counts less than the
// second after it, so that the average follows a new demand by 63 % in the time of the average.
// Not thread-safe.
#pragma once

#include <cstdint>

namespace hashrange {

class DemandAverage {
 public:
  // Adds to the demand of the second that is under way.
  void Add(double units) { current_ += units; }
  // Ends the second that is under way, and `seconds` − 1 others without demand after it.
  // `keep` is what an average keeps of itself in a second: KeptInASecond.
  void EndSeconds(std::int64_t seconds, double keep);
  // Returns the average of the seconds that have ended.
  double units_per_second() const { return average_; }
  void Set(double units_per_second) { average_ = units_per_second; }

  static double KeptInASecond(std::int64_t average_ms);

 private:
  double average_ = 0;
  double current_ = 0;
};

}  // namespace hashrange
