#include "mcp/run_timer.h"

namespace hashrange {

RunTimer::RunTimer(std::chrono::milliseconds time, std::atomic<bool>& flag)
    : thread_([this, time, &flag] {
        std::unique_lock lock(mutex_);
        if (ended_.wait_for(lock, time, [this] { return is_ended_; })) return;
        flag = true;
      }) {}

RunTimer::~RunTimer() {
  {
    std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

}  // namespace hashrange
