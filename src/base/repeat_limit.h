// RepeatLimit: keeps a log readable when one cause would write the same line for each of a
// thousand requests, or a thousand causes a line each. Thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>

namespace hashrange {

class RepeatLimit {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::minutes kPause{1};
  static constexpr int kMaxPerSecond = 10;

  // Whether what `cause`, a hash, stands for is to be said now: it was not within kPause (of a
  // few hundred causes that are remembered), and no more than kMaxPerSecond were in this second.
  bool Admits(std::size_t cause, TimePoint now);

 private:
  struct Said {
    std::size_t cause = 0;
    TimePoint at;  // the epoch: nothing yet
  };

  std::mutex mutex_;
  std::array<Said, 256> said_;  // by the cause's last bits
  TimePoint second_;            // when the present second began
  int in_second_ = 0;
};

}  // namespace hashrange
