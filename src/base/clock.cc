#include "base/clock.h"

#include <algorithm>
#include <chrono>

namespace hashrange {

std::int64_t SystemClock::NowEpochMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

namespace {

std::int64_t SteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t ClampedEpochMs(double epoch_ms) {
  constexpr double kMin = static_cast<double>(AdjustableClock::kMinEpochMs);
  constexpr double kMax = static_cast<double>(AdjustableClock::kMaxEpochMs);
  return static_cast<std::int64_t>(std::clamp(epoch_ms, kMin, kMax));
}

}  // namespace

std::int64_t AdjustableClock::NowEpochMs() const {
  if (is_real_.load(std::memory_order_acquire)) {
    return std::min(system_.NowEpochMs() + offset_ms_.load(std::memory_order_relaxed), kMaxEpochMs);
  }
  std::lock_guard lock(mutex_);
  return NowLocked();
}

std::int64_t AdjustableClock::NowLocked() const {
  switch (mode_) {
    case Mode::kReal:
      return std::min(system_.NowEpochMs() + offset_ms_.load(), kMaxEpochMs);
    case Mode::kFrozen:
      return start_epoch_ms_;
    case Mode::kScaled:
      break;
  }
  const double passed_ms = static_cast<double>(SteadyMs() - start_steady_ms_);
  return ClampedEpochMs(static_cast<double>(start_epoch_ms_) + scale_ * passed_ms);
}

void AdjustableClock::Start(Mode mode, std::int64_t epoch_ms, double scale) {
  mode_ = mode;
  scale_ = scale;
  start_epoch_ms_ = epoch_ms;
  start_steady_ms_ = SteadyMs();
  is_real_.store(false, std::memory_order_release);
}

void AdjustableClock::RunReal() {
  std::lock_guard lock(mutex_);
  mode_ = Mode::kReal;
  scale_ = 1;
  offset_ms_ = 0;
  is_real_.store(true, std::memory_order_release);
}

void AdjustableClock::FreezeAt(std::int64_t epoch_ms) {
  std::lock_guard lock(mutex_);
  Start(Mode::kFrozen, std::clamp(epoch_ms, kMinEpochMs, kMaxEpochMs), 0);
}

void AdjustableClock::RunScaled(double scale) {
  std::lock_guard lock(mutex_);
  Start(Mode::kScaled, NowLocked(), scale);
}

void AdjustableClock::Advance(std::int64_t ms) {
  std::lock_guard lock(mutex_);
  const std::int64_t now = NowLocked();
  const std::int64_t then = ClampedEpochMs(static_cast<double>(now) + static_cast<double>(ms));
  if (mode_ == Mode::kReal) {
    offset_ms_ += then - now;
  } else {
    Start(mode_, then, scale_);
  }
}

AdjustableClock::State AdjustableClock::state() const {
  std::lock_guard lock(mutex_);
  return {mode_, scale_, NowLocked()};
}

}  // namespace hashrange
