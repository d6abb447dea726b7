// Clock: where every time in Hashrange comes from, so that a test, and a user, can hold, step
// and scale it. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

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

// A clock that runs as the machine's until it is told otherwise:
//
//   now = what it was set to + scale × the time that has passed on the machine since
//
// A frozen one has the scale 0. It may be set back: whoever keeps what is ordered by time bears it.
class AdjustableClock : public Clock {
 public:
  enum class Mode { kReal, kFrozen, kScaled };
  struct State {
    Mode mode = Mode::kReal;
    double scale = 1;  // kScaled
    std::int64_t now_epoch_ms = 0;
  };

  std::int64_t NowEpochMs() const override;

  void RunReal();  // the machine's time again
  void FreezeAt(std::int64_t epoch_ms);
  // Goes on from now, `scale` times as fast as the machine. More than 0, at most kMaxScale.
  void RunScaled(double scale);
  // Moves it, backward if negative, and stays in its mode. What does not fit stops at the ends
  // of kMinEpochMs … kMaxEpochMs, as every time does.
  void Advance(std::int64_t ms);
  State state() const;

  static constexpr double kMaxScale = 1e6;
  static constexpr std::int64_t kMinEpochMs = 0;
  static constexpr std::int64_t kMaxEpochMs = 253'402'300'799'999;  // the end of the year 9999

 private:
  // What is not real is told from here. Guarded by `mutex_`.
  std::int64_t NowLocked() const;
  void Start(Mode mode, std::int64_t epoch_ms, double scale);

  const SystemClock system_;
  std::atomic<std::int64_t> offset_ms_{0};  // kReal: added to the machine's time
  std::atomic<bool> is_real_{true};
  mutable std::mutex mutex_;
  Mode mode_ = Mode::kReal;
  double scale_ = 1;
  std::int64_t start_epoch_ms_ = 0;
  std::int64_t start_steady_ms_ = 0;
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
