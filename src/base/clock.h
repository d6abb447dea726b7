// Clock: the source of the times that the service uses, so that a test, and a user, can freeze,
// move and scale time. Measurements and pauses use the machine's steady clock. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/threads.h"

namespace hashrange {

class Clock {
 public:
  virtual ~Clock() = default;
  // Returns the milliseconds since 1970-01-01T00:00:00Z.
  virtual std::int64_t NowEpochMs() const = 0;
};

// The machine's clock.
class SystemClock : public Clock {
 public:
  std::int64_t NowEpochMs() const override;
};

// A clock that shows the machine's time until it is set:
//
//   now = the time it was set to + scale × the machine time that has passed since then
//
// A frozen clock has the scale 0. The clock may be set back: code that keeps data in the order of
// time must cope with that.
class AdjustableClock : public Clock {
 public:
  // kReal: the machine's time, plus what Advance has added since the start or RunReal.
  enum class Mode { kReal, kFrozen, kScaled };
  struct State {
    Mode mode = Mode::kReal;
    double scale = 1;  // with kScaled
    std::int64_t now_epoch_ms = 0;
  };

  std::int64_t NowEpochMs() const override;

  void RunReal();  // returns to the machine's time
  // Cost: one store when the clock is frozen already.
  void FreezeAt(std::int64_t epoch_ms);
  // From now on, the clock runs `scale` times as fast as the machine. `scale` is more than 0 and at
  // most kMaxScale.
  void RunScaled(double scale);
  // Moves the clock by `ms`, backward if `ms` is negative; the mode stays. The clock stops at
  // kMinEpochMs and kMaxEpochMs, in every mode.
  void Advance(std::int64_t ms);
  State state() const;

  static constexpr double kMaxScale = 1e6;
  static constexpr std::int64_t kMinEpochMs = 0;
  static constexpr std::int64_t kMaxEpochMs = 253'402'300'799'999;  // the end of the year 9999

 private:
  // These are called with `mutex_` held. StartScaled begins kScaled at `epoch_ms`.
  std::int64_t NowLocked() const;
  void StartScaled(std::int64_t epoch_ms, double scale);

  const SystemClock system_;
  // Changed with the lock held, read without it.
  std::atomic<Mode> mode_{Mode::kReal};
  std::atomic<std::int64_t> offset_ms_{0};  // with kReal: added to the machine's time
  std::atomic<std::int64_t> frozen_epoch_ms_{
      0};                // with kFrozen; FreezeAt changes it without the lock
  mutable Mutex mutex_;  // guards what follows, which is for kScaled
  double scale_ = 1;
  std::int64_t start_epoch_ms_ = 0;
  std::int64_t start_steady_ms_ = 0;
};

// For tests: a clock that is frozen until it is advanced.
class ManualClock : public Clock {
 public:
  explicit ManualClock(std::int64_t epoch_ms) : now_epoch_ms_(epoch_ms) {}
  std::int64_t NowEpochMs() const override { return now_epoch_ms_.load(); }
  void Advance(std::int64_t ms) { now_epoch_ms_ += ms; }

 private:
  std::atomic<std::int64_t> now_epoch_ms_;
};

// Stopwatch: measures how long something took, in the machine's time, which nobody can freeze,
// move or scale. The service itself takes the time from the Clock.
class Stopwatch {
 public:
  std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - start_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace hashrange
