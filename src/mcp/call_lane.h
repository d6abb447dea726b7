// CallLane: a thread that runs tasks one after another, in the order in which they were posted. The
// thread is started by the first task. Thread-safe, but for its destructor.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace hashrange {

class CallLane {
 public:
  CallLane() = default;
  ~CallLane();
  CallLane(const CallLane&) = delete;
  CallLane& operator=(const CallLane&) = delete;

  static constexpr std::size_t kMostWaiting = 100;

  // Returns false, and drops the task, when kMostWaiting tasks wait already.
  bool Post(std::function<void()> task);
  // Returns true when all tasks have been run, and false when that takes longer than until then. No
  // task is posted afterwards.
  bool FinishUntil(std::chrono::steady_clock::time_point then);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_finishing_ = false;
  bool has_ended_ = false;  // the thread has run all tasks, and runs no more
  std::thread thread_;
};

}  // namespace hashrange
