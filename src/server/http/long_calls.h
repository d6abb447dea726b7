// LongCalls: makes the calls of the API that may take long, such as a search among many vectors, on
// threads of their own, so that they delay no other request. Thread-safe, but for its destructor.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "base/work_queue.h"

namespace hashrange {

class LongCalls {
 public:
  // A thread is started when it is first needed.
  explicit LongCalls(int threads);

  // Lets a thread call `work` soon. Returns false when too many calls wait already, or the system
  // has no memory or no thread for it: then the caller makes the call itself. After Stop, `work` is
  // not called.
  bool Post(std::size_t size_bytes, std::function<void()> work);
  // Returns when the calls that are being made have ended. Calls that wait are dropped.
  void Stop();

 private:
  std::vector<std::unique_ptr<WorkQueue>> queues_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace hashrange
