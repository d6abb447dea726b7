// SharedCounters: what all stripes of a measurement count together, as it goes on from one stripe
// to another: seconds and windows of time, and calls of several pages. Each part is thread-safe.
//
//   a thread ──▶ the sums of its present second ──(the second is over)──▶ TimeCounter
//            ──▶ the top keys of its present window ──(the window is over)──▶ WindowCounter
//            ──▶ a page that is not the last one of its call ──▶ OpenPages
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "base/memory/memory_bound.h"
#include "base/memory/memory_reserve.h"
#include "base/threads.h"
#include "measure/measurement.h"
#include "measure/meter/key_counters.h"
#include "measure/meter/pattern_table.h"
#include "measure/meter/resource_counters.h"

namespace hashrange {

// What happened in one second of the server's clock.
struct SecondSums {
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
  double read_units = 0;
  double write_units = 0;
  std::map<std::string, std::uint64_t> throttles;
  std::map<ResourceId, HeatRows, std::less<>,
           ReservedAllocator<std::pair<const ResourceId, HeatRows>, MemoryPart::kMeasurements>>
      heat;

  void Add(const SecondSums& other);
};

// Sums up what happened in each second, in at most 1,440 buckets whose width doubles when they are
// full. Each bucket keeps its busiest second and the busiest minute that ends in it. A second is
// complete when no thread adds to it any more; a thread that was idle may add to a second late. So
// the latest seconds and minutes are kept apart until they are kOpenSeconds old.
class TimeCounter {
 public:
  static constexpr std::size_t kMaxBuckets = 1440;
  static constexpr std::int64_t kSecondMs = 1000;
  static constexpr std::int64_t kMinuteMs = 60'000;
  static constexpr std::int64_t kOpenSeconds = 120;

  // Adds what one thread saw in the second that begins at `second_epoch_ms`.
  void Add(std::int64_t second_epoch_ms, const SecondSums& sums);

  // Return the buckets, and the heat of one resource in each of them.
  TimeMeasure Buckets() const;
  std::vector<HeatSlice> HeatOf(const ResourceId& resource) const;
  void Clear();

 private:
  struct Units {
    double read = 0, write = 0;

    void Raise(const Units& other) {
      read = std::max(read, other.read);
      write = std::max(write, other.write);
    }
  };
  struct Bucket {
    SecondSums sums;
    Units peak_second, peak_minute;
  };

  // These are called with `mutex_` held.
  std::int64_t BucketOf(std::int64_t epoch_ms) const;
  void Widen();
  void TakePeaks(std::int64_t second_epoch_ms);

  mutable Mutex mutex_;  // guards what follows
  std::int64_t bucket_ms_ = kSecondMs;
  std::map<std::int64_t, Bucket> buckets_;  // by their beginning
  std::map<std::int64_t, Units> seconds_;   // the latest seconds and minutes
  std::map<std::int64_t, Units> minutes_;
};

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

// Finds the windows of time in which one key had the greatest part of a table's or an index's
// units, so that a key of today's date counts as hot although each day has another. The latest
// windows are kept open, as other threads may add to them; of the earlier ones only the hottest are
// kept.
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
  void Clear();

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
  mutable Mutex mutex_;  // guards what follows
  std::map<std::int64_t, Window> open_;
  std::map<Side, std::vector<HottestKey>> hottest_;
};

struct PagesSoFar {
  RequestSizes sizes;
  std::uint64_t pages = 0;
};

// Links the pages of one logical call: a Query or a Scan whose page ended early, and the request
// that continues at this place. The pages may be served by different threads. It keeps the sums of
// at most kMax calls that may still go on. Of several calls that go on at the same place, the
// oldest is continued first.
class OpenPages {
 public:
  static constexpr std::size_t kMax = 4096;
  // Of so many calls at one place. Most calls that stop where others did are never continued.
  static constexpr std::size_t kMaxAtPlace = 8;

  // Keeps the pages of a call until a request continues it at `place`. `place` is a hash of what is
  // read and of the position behind which the next page begins.
  void Put(std::uint64_t place, const PagesSoFar& pages);
  // Returns and forgets the pages of the call that is continued at `place`.
  std::optional<PagesSoFar> Take(std::uint64_t place);
  // Returns how many calls were forgotten because there were too many.
  std::uint64_t forgotten() const;
  void Clear();

 private:
  struct OpenCall {
    std::uint64_t place = 0;
    PagesSoFar pages;
  };
  using OpenCalls = std::list<OpenCall, ReservedAllocator<OpenCall, MemoryPart::kMeasurements>>;
  // The calls of each place, the oldest first.
  using CallsByPlace = MeterMap<std::uint64_t, absl::InlinedVector<OpenCalls::iterator, 1>>;

  // Forgets the oldest call of a place. Called with `mutex_` held.
  void Remove(CallsByPlace::iterator found);

  mutable Mutex mutex_;  // guards what follows
  OpenCalls calls_;      // the oldest first
  CallsByPlace at_;
  std::uint64_t forgotten_ = 0;
};

struct SharedCounters {
  // `bound`: while it is exceeded, nothing new is counted; null: there is none.
  explicit SharedCounters(MeasurementSettings given, const MemoryBound* bound = nullptr)
      : settings(std::move(given)), memory(bound), windows(settings.window_ms) {}

  // Returns whether counters of something new may be made.
  bool has_room() const { return !memory || !memory->is_exceeded(); }
  // Frees what was counted.
  void Clear() {
    time.Clear();
    windows.Clear();
    pages.Clear();
  }

  const MeasurementSettings settings;
  const MemoryBound* const memory;
  TimeCounter time;
  WindowCounter windows;
  OpenPages pages;
};

}  // namespace hashrange
