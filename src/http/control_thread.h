// ControlThread: runs the calls of the control API, one after another, on a thread of its own,
// so that one that takes seconds holds up no request. The thread is started by the first call.
// Thread-safe, but for its destructor.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "http/control_handler.h"

namespace hashrange {

class ControlThread {
 public:
  using Done = std::function<void(ControlAnswer answer)>;

  // Without a handler there is no control API.
  explicit ControlThread(ControlHandler handler) : handler_(std::move(handler)) {}
  ~ControlThread() { Stop(); }
  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;

  bool has_handler() const { return handler_ != nullptr; }

  // Calls `done` with the answer, on the thread, soon.
  // Errors: throws std::system_error when there is no thread to be had.
  void Post(ControlRequest request, Done done);

  // Returns when the call under way has ended; those that wait are dropped.
  void Stop();

 private:
  struct Waiting {
    ControlRequest request;
    Done done;
  };

  void Run();

  const ControlHandler handler_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Waiting> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace hashrange
