// ProgressBar: how much of some work is done, as one line on stderr, which is removed in the end.
// Nothing is shown where stderr is no terminal.
//
//   hashrange: 42 % [########            ]
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace hashrange {

// Returns the line for a share of the work from 0 to 1.
std::string ProgressLine(double done);

class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  // Shows the share, from 0 to 1, at most ten times a second. Any thread.
  void Show(double done);

 private:
  const bool is_shown_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace hashrange
