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
  switch (mode_.load(std::memory_order_acquire)) {
    case Mode::kReal:
      return std::min(system_.NowEpochMs() + offset_ms_.load(std::memory_order_relaxed),
                      kMaxEpochMs);
    case Mode::kFrozen:
      return frozen_epoch_ms_.load(std::memory_order_relaxed);
    case Mode::kScaled:
      break;
  }
  MutexLock lock(mutex_);
  return NowLocked();
}

std::int64_t AdjustableClock::NowLocked() const {
  switch (mode_.load()) {
    case Mode::kReal:
      return std::min(system_.NowEpochMs() + offset_ms_.load(), kMaxEpochMs);
    case Mode::kFrozen:
      return frozen_epoch_ms_.load();
    case Mode::kScaled:
      break;
  }
  const double passed_ms = static_cast<double>(SteadyMs() - start_steady_ms_);
  return ClampedEpochMs(static_cast<double>(start_epoch_ms_) + scale_ * passed_ms);
}

void AdjustableClock::StartScaled(std::int64_t epoch_ms, double scale) {
  scale_ = scale;
  start_epoch_ms_ = epoch_ms;
  start_steady_ms_ = SteadyMs();
  mode_.store(Mode::kScaled, std::memory_order_release);
}

void AdjustableClock::RunReal() {
  MutexLock lock(mutex_);
  scale_ = 1;
  offset_ms_ = 0;
  mode_.store(Mode::kReal, std::memory_order_release);
}

void AdjustableClock::FreezeAt(std::int64_t epoch_ms) {
  const std::int64_t at = std::clamp(epoch_ms, kMinEpochMs, kMaxEpochMs);
  if (mode_.load(std::memory_order_acquire) == Mode::kFrozen) {
    frozen_epoch_ms_.store(at, std::memory_order_relaxed);
    return;
  }
  MutexLock lock(mutex_);
  frozen_epoch_ms_.store(at);
  mode_.store(Mode::kFrozen, std::memory_order_release);
}

void AdjustableClock::RunScaled(double scale) {
  MutexLock lock(mutex_);
  StartScaled(NowLocked(), scale);
}

void AdjustableClock::Advance(std::int64_t ms) {
  MutexLock lock(mutex_);
  const std::int64_t now = NowLocked();
  const std::int64_t then = ClampedEpochMs(static_cast<double>(now) + static_cast<double>(ms));
  switch (mode_.load()) {
    case Mode::kReal:
      offset_ms_ += then - now;
      break;
    case Mode::kFrozen:
      frozen_epoch_ms_.store(then);
      break;
    case Mode::kScaled:
      StartScaled(then, scale_);
  }
}

AdjustableClock::State AdjustableClock::state() const {
  MutexLock lock(mutex_);
  const Mode mode = mode_.load();
  return {mode, mode == Mode::kFrozen ? 0 : scale_, NowLocked()};
}

}  // namespace hashrange
