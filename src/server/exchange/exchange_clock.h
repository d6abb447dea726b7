// ExchangeClock: the time of the exchanges of one thread, in coarse ticks, so that a deadline costs
// a request only one store. The thread that has the exchanges calls Tick, and no other thread uses
// the clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace hashrange {

class ExchangeClock {
 public:
  // `patience`: the longest time from the first to the last byte of a request. A client that takes
  // no byte of its answer for a third of this time is disconnected.
  explicit ExchangeClock(std::chrono::milliseconds patience)
      : tick_length_(std::max(patience / kPatienceTicks, std::chrono::milliseconds(1))) {}

  // How long the owner waits between two calls of Tick.
  std::chrono::milliseconds tick_length() const { return tick_length_; }
  void Tick() { ++tick_; }
  std::int64_t tick() const { return tick_; }

  // Returns the tick at which a request that begins now is overdue.
  std::int64_t Deadline() const { return tick_ + kPatienceTicks; }
  // Returns the tick until which the peer has to take a byte of an answer.
  std::int64_t SendDeadline() const { return tick_ + kSendTicks; }
  // Returns whether a request with this deadline began long ago.
  bool IsLongBefore(std::int64_t deadline) const { return deadline - tick_ < kSendTicks * 2; }

  // From now on, each connection ends after the requests that have arrived.
  void Drain() { is_draining_ = true; }
  bool is_draining() const { return is_draining_; }

 private:
  static constexpr int kPatienceTicks = 30;
  static constexpr int kSendTicks = 10;

  const std::chrono::milliseconds tick_length_;
  std::int64_t tick_ = 1;
  bool is_draining_ = false;
};

}  // namespace hashrange
