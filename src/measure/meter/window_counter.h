// WindowCounter finds the windows of time in which one key had the greatest part of a table's or an
// index's units, so that a key of today's date counts as hot although each day has another.
//
//   a thread ──▶ the top keys of its present window ──(the window is over)──▶ WindowCounter
//
// The latest windows are kept open, as other threads may add to them; of the earlier ones only the
// hottest. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "measure/meter/resource_counters.h"
#include "measure/meter/time_counter.h"
#include "measure/meter/top_counter.h"

namespace hashrange {

// What one thread saw of one resource and direction in a window.
struct WindowPart {
  ResourceId resource;
  MeterDirection direction = MeterDirection::kRead;
  double total_units = 0;
  std::vector<TopCounter::Counted> keys;  // the first few
};

// The hottest key of a resource and direction in one window.
struct HottestKey {
  std::int64_t begin_epoch_ms = 0;
  std::uint64_t calls = 0;  // of the whole measurement in this window
  double total_units = 0;
  TopCounter::Counted key;
};

class WindowCounter {
 public:
  static constexpr std::size_t kKeysOfPart = 8;
  static constexpr std::size_t kOpenWindows = 4;
  static constexpr std::size_t kHottest = 8;
  // In a window with fewer calls, the part of a key says little.
  static constexpr std::uint64_t kTellingCalls = 100;

  explicit WindowCounter(std::int64_t window_ms) : window_ms_(window_ms) {}

  std::int64_t window_ms() const { return window_ms_; }
  // Adds what one thread saw in the window that begins at `begin_epoch_ms`.
  void Add(std::int64_t begin_epoch_ms, std::uint64_t calls, const std::vector<WindowPart>& parts);
  // Returns the hottest windows of the resource, the hottest first.
  std::vector<HottestKey> Hottest(const ResourceId& resource, MeterDirection direction) const;

 private:
  struct Side {
    ResourceId resource;
    MeterDirection direction = MeterDirection::kRead;

    friend auto operator<=>(const Side&, const Side&) = default;
  };
  struct SideSums {
    double total_units = 0;
    std::map<std::uint64_t, TopCounter::Counted> keys;  // by hash
  };
  struct Window {
    std::uint64_t calls = 0;
    std::map<Side, SideSums> sides;
  };

  static HottestKey HottestOf(std::int64_t begin_epoch_ms, std::uint64_t calls,
                              const SideSums& sums);
  static void Keep(const HottestKey& window, std::vector<HottestKey>* hottest);

  const std::int64_t window_ms_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::int64_t, Window> open_;
  std::map<Side, std::vector<HottestKey>> hottest_;
};

}  // namespace hashrange
