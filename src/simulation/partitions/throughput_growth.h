// ThroughputGrowth: what an on-demand table or index serves in one direction: what it was made
// with, or twice its highest minute, whichever is more (docs/service/20-partition-model.md,
// section 1). It grows some time after that minute, and never shrinks. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>

namespace hashrange {

class ThroughputGrowth {
 public:
  // `growth_after_ms`: from the end of a minute until the table serves twice that much.
  ThroughputGrowth(std::int64_t units_per_second, std::int64_t growth_after_ms, std::int64_t now_ms)
      : allowed_(units_per_second),
        growth_after_ms_(growth_after_ms),
        minute_end_ms_((now_ms / kMinuteMs + 1) * kMinuteMs) {}

  // Counts units that were served. Times ascend.
  void Add(double units, std::int64_t now_ms);
  // Returns what is served in a second.
  std::int64_t UnitsPerSecond(std::int64_t now_ms);
  // From now on at least this much is served in a second.
  void Raise(std::int64_t units_per_second);

 private:
  static constexpr std::int64_t kMinuteMs = 60'000;

  struct Growth {
    std::int64_t due_ms = 0;
    std::int64_t units_per_second = 0;
  };

  // Ends the minute that was under way, if it is over.
  void EndMinute(std::int64_t now_ms);

  std::int64_t allowed_;
  std::int64_t growth_after_ms_;
  std::int64_t minute_end_ms_;  // of the minute under way
  double units_ = 0;            // of the minute under way
  std::deque<Growth> growth_;   // ascending by both members
};

}  // namespace hashrange
