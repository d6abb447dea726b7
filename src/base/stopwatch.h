// Stopwatch: measures how long something took, in the machine's time, which nobody can freeze,
// move or scale. The service itself takes the time from the clock (clock.h).
#pragma once

#include <chrono>

namespace hashrange {

class Stopwatch {
 public:
  std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - start_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace hashrange
