#include "simulation/partitions/throughput_growth.h"

#include <algorithm>

namespace hashrange {

void ThroughputGrowth::Add(double units, std::int64_t now_ms) {
  EndMinute(now_ms);
  units_ += units;
}

std::int64_t ThroughputGrowth::UnitsPerSecond(std::int64_t now_ms) {
  EndMinute(now_ms);
  while (!growth_.empty() && growth_.front().due_ms <= now_ms) {
    Raise(growth_.front().units_per_second);
    growth_.pop_front();
  }
  return allowed_;
}

void ThroughputGrowth::Raise(std::int64_t units_per_second) {
  allowed_ = std::max(allowed_, units_per_second);
}

void ThroughputGrowth::EndMinute(std::int64_t now_ms) {
  if (now_ms < minute_end_ms_) return;
  const auto twice = static_cast<std::int64_t>(2 * units_ / 60);
  const std::int64_t latest = growth_.empty() ? allowed_ : growth_.back().units_per_second;
  if (twice > latest) growth_.push_back({minute_end_ms_ + growth_after_ms_, twice});
  minute_end_ms_ = (now_ms / kMinuteMs + 1) * kMinuteMs;
  units_ = 0;
}

}  // namespace hashrange
