// ControlThreads: runs the calls of the control API, one after another, on a thread of their own,
// so that none of them delays a request. Calls that may take seconds run on a second thread, so
// that they delay no other call. Thread-safe, but for its destructor.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "base/work_queue.h"
#include "server/exchange/handlers.h"

namespace hashrange {

class ControlThreads {
 public:
  using Done = std::function<void(ControlAnswer answer)>;

  explicit ControlThreads(ControlHandler handler);

  // Without a handler there is no control API.
  bool has_handler() const { return handler_.answer != nullptr; }

  // Lets the call's thread make the call and then call `done` with the answer. If the system has no
  // thread or memory left, Post itself calls `done` with an error, and passes on an exception that
  // `done` throws. After Stop, `done` is not called.
  void Post(ControlRequest request, Done done);

  // Returns when the calls that are running have ended. Calls that wait are dropped.
  void Stop();

 private:
  ControlAnswer Answer(const ControlRequest& request) const;
  ControlAnswer AnswerWithReserve(const ControlRequest& request);

  const ControlHandler handler_;
  // Memory for calls that free memory, when there is no other memory left. It is never touched, so
  // it takes address space only. Used by the thread of the short calls.
  std::unique_ptr<std::byte[]> reserve_;
  WorkQueue short_calls_{{.name = "a control call"}};
  WorkQueue long_calls_{{.name = "a long control call"}};
};

}  // namespace hashrange
