#include "measure/meter/window_counter.h"

#include <algorithm>

namespace hashrange {
namespace {

// Ranks windows by the units that a key has of each call; windows with few calls come last.
bool IsHotter(const HottestKey& a, const HottestKey& b) {
  const bool a_tells = a.calls >= WindowCounter::kTellingCalls;
  const bool b_tells = b.calls >= WindowCounter::kTellingCalls;
  if (a_tells != b_tells) return a_tells;
  const double of_a = a.key.units * static_cast<double>(std::max<std::uint64_t>(b.calls, 1));
  const double of_b = b.key.units * static_cast<double>(std::max<std::uint64_t>(a.calls, 1));
  return of_a != of_b ? of_a > of_b : a.begin_epoch_ms < b.begin_epoch_ms;
}

}  // namespace

HottestKey WindowCounter::HottestOf(std::int64_t begin_epoch_ms, std::uint64_t calls,
                                    const SideSums& sums) {
  HottestKey hottest{begin_epoch_ms, calls, sums.total_units, {}};
  for (const auto& [hash, key] : sums.keys) {
    if (key.units > hottest.key.units) hottest.key = key;
  }
  return hottest;
}

void WindowCounter::Keep(const HottestKey& window, std::vector<HottestKey>* hottest) {
  hottest->insert(std::ranges::upper_bound(*hottest, window, IsHotter), window);
  if (hottest->size() > kHottest) hottest->pop_back();
}

void WindowCounter::Add(std::int64_t begin_epoch_ms, std::uint64_t calls,
                        const std::vector<WindowPart>& parts) {
  std::lock_guard lock(mutex_);
  Window& window = open_[begin_epoch_ms];
  window.calls += calls;
  for (const WindowPart& part : parts) {
    SideSums& sums = window.sides[{part.resource, part.direction}];
    sums.total_units += part.total_units;
    for (const TopCounter::Counted& counted : part.keys) {
      TopCounter::Counted& there = sums.keys[counted.hash];
      there.hash = counted.hash;
      there.key = counted.key;
      there.units += counted.units;
      there.error += counted.error;
    }
  }
  while (open_.size() > kOpenWindows) {
    const auto oldest = open_.begin();
    for (const auto& [side, sums] : oldest->second.sides) {
      Keep(HottestOf(oldest->first, oldest->second.calls, sums), &hottest_[side]);
    }
    open_.erase(oldest);
  }
}

std::vector<HottestKey> WindowCounter::Hottest(const ResourceId& resource,
                                               MeterDirection direction) const {
  const Side side{resource, direction};
  std::lock_guard lock(mutex_);
  std::vector<HottestKey> hottest;
  if (const auto found = hottest_.find(side); found != hottest_.end()) hottest = found->second;
  for (const auto& [begin, window] : open_) {
    const auto found = window.sides.find(side);
    if (found != window.sides.end()) Keep(HottestOf(begin, window.calls, found->second), &hottest);
  }
  return hottest;
}

}  // namespace hashrange
