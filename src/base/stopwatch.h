// Stopwatch: how long something took, by the machine's time, which nobody holds, moves or
// scales. For measurements; what the service knows of time it has from the clock (clock.h).
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
