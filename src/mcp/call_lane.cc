#include "mcp/call_lane.h"

#include <utility>

namespace hashrange {

bool CallLane::Post(std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMostWaiting) return false;
  waiting_.push_back(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  changed_.notify_all();
  return true;
}

CallLane::~CallLane() {
  {
    std::lock_guard lock(mutex_);
    is_finishing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool CallLane::FinishUntil(std::chrono::steady_clock::time_point then) {
  std::unique_lock lock(mutex_);
  is_finishing_ = true;
  changed_.notify_all();
  return !thread_.joinable() || changed_.wait_until(lock, then, [this] { return has_ended_; });
}

void CallLane::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_finishing_ || !waiting_.empty(); });
    if (waiting_.empty()) break;
    const std::function<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
  has_ended_ = true;
  changed_.notify_all();
}

}  // namespace hashrange
