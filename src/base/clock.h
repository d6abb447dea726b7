// Clock: where every time in Hashrange comes from, so that a test, and later a
// user, can hold, step and replay it. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace hashrange {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970-01-01T00:00:00Z.
  virtual std::int64_t NowEpochMs() const = 0;
};

// The machine's clock.
class SystemClock : public Clock {
 public:
  std::int64_t NowEpochMs() const override;
};

// A clock that stands still until it is moved.
class ManualClock : public Clock {
 public:
  explicit ManualClock(std::int64_t epoch_ms) : now_epoch_ms_(epoch_ms) {}
  std::int64_t NowEpochMs() const override { return now_epoch_ms_.load(); }
  void Advance(std::int64_t ms) { now_epoch_ms_ += ms; }

 private:
  std::atomic<std::int64_t> now_epoch_ms_;
};

}  // namespace hashrange
