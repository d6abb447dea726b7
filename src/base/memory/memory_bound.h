// MemoryBound refuses writes that need memory while the data of the process takes more than a bound
// (live_memory.h). Reads and deletes are not refused, so that a deletion makes room again. The
// first refusal is logged, and so is the end of the refusals. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/memory/live_memory.h"
#include "base/result.h"

namespace hashrange {

class MemoryBound {
 public:
  // `max_bytes`: 0: there is no bound.
  explicit MemoryBound(std::int64_t max_bytes)
      : max_bytes_(max_bytes > 0 ? max_bytes : INT64_MAX) {}
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;

  // Returns an error while more than the bound is taken. A call that stores something asks before
  // it changes anything. What it then stores may exceed the bound: the bound is checked with the
  // approximate sum, and not by the size of what is to be stored.
  //
  // The service has no error for this. It is an InternalServerError, as every operation may have
  // one, and not a throttling error: that would ask the client to send the same calls more slowly,
  // which does not help.
  // Errors: InternalServerError
  // Cost: two relaxed loads.
  Status AdmitGrowth() {
    const bool is_exceeded = ApproximateLiveBytes() > max_bytes_;
    if (!is_exceeded && !was_exceeded_.load(std::memory_order_relaxed)) [[likely]]
      return {};
    return Decide(is_exceeded);
  }

  // Returns whether more than the bound is taken, without the error and the log of AdmitGrowth.
  bool is_exceeded() const { return ApproximateLiveBytes() > max_bytes_; }

  // The bound; 0: there is none.
  std::int64_t max_bytes() const { return max_bytes_ == INT64_MAX ? 0 : max_bytes_; }

 private:
  Status Decide(bool is_exceeded);

  const std::int64_t max_bytes_;
  std::atomic<bool> was_exceeded_{false};  // as the log says
};

}  // namespace hashrange
