// RunTimer: sets a flag after some time, unless it is destroyed before. Used by one thread, beside
// its own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace hashrange {

class RunTimer {
 public:
  // `flag` outlives the timer.
  RunTimer(std::chrono::milliseconds time, std::atomic<bool>& flag);
  ~RunTimer();
  RunTimer(const RunTimer&) = delete;
  RunTimer& operator=(const RunTimer&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ended_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace hashrange
