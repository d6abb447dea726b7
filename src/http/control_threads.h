// ControlThreads: runs the calls of the control API, one after another, on a thread of their own,
// so that none holds up a request, and those that may take seconds on a second one, so that they
// hold up no other call either. A thread is started by its first call. Thread-safe, but for its
// destructor.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "http/control_handler.h"

namespace hashrange {

class ControlThreads {
 public:
  using Done = std::function<void(ControlAnswer answer)>;

  explicit ControlThreads(ControlHandler handler) : handler_(std::move(handler)) {}
  ~ControlThreads() { Stop(); }
  ControlThreads(const ControlThreads&) = delete;
  ControlThreads& operator=(const ControlThreads&) = delete;

  // Without one there is no control API.
  bool has_handler() const { return handler_.answer != nullptr; }

  // Calls `done` with the answer, on the call's thread, soon.
  // Errors: throws std::system_error when there is no thread to be had.
  void Post(ControlRequest request, Done done);

  // Returns when the calls under way have ended; those that wait are dropped.
  void Stop();

 private:
  struct Waiting {
    ControlRequest request;
    Done done;
  };
  struct Lane {
    std::condition_variable wake;
    std::deque<Waiting> waiting;
    std::thread thread;
  };

  void Run(Lane& lane);
  ControlAnswer Answer(const ControlRequest& request) const;

  const ControlHandler handler_;
  std::mutex mutex_;  // guards what follows
  bool stopping_ = false;
  std::array<Lane, 2> lanes_;  // the second for what takes long
};

}  // namespace hashrange
