// ControlThreads: runs the calls of the control API on a few threads of their own, so that one
// that takes seconds holds up no request, and not the next call either. A thread is started by the
// first call that finds none idle. Thread-safe, but for its destructor.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "http/control_handler.h"

namespace hashrange {

class ControlThreads {
 public:
  using Done = std::function<void(ControlAnswer answer)>;

  // Without a handler there is no control API.
  explicit ControlThreads(ControlHandler handler) : handler_(std::move(handler)) {}
  ~ControlThreads() { Stop(); }
  ControlThreads(const ControlThreads&) = delete;
  ControlThreads& operator=(const ControlThreads&) = delete;

  bool has_handler() const { return handler_ != nullptr; }

  // Calls `done` with the answer, on one of the threads, soon.
  // Errors: throws std::system_error when there is no thread to be had at all.
  void Post(ControlRequest request, Done done);

  // Returns when the calls under way have ended; those that wait are dropped.
  void Stop();

 private:
  struct Waiting {
    ControlRequest request;
    Done done;
  };

  static constexpr std::size_t kMostThreads = 8;

  // With `mutex_` held.
  void StartThread();
  void Run();

  const ControlHandler handler_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Waiting> waiting_;
  bool stopping_ = false;
  std::size_t idle_ = 0;  // threads that wait for a call
  std::vector<std::thread> threads_;
};

}  // namespace hashrange
