// TimeCounter sums up what happened in each second of the server's clock, in at most 1,440 buckets
// whose width doubles when they are full. Each bucket keeps its busiest second and the busiest
// minute that ends in it.
//
//   a thread ──▶ the sums of its present second ──(the second is over)──▶ TimeCounter
//
// A second is complete when no thread adds to it any more; a thread that was idle may add to a
// second late. So the latest seconds and minutes are kept apart until they are kOpenSeconds old.
// Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/memory_reserve.h"
#include "measure/measurement.h"

namespace hashrange {

inline constexpr std::size_t kHeatRows = 32;

// One table or index: the table's id and the index's id, with 0 for the table itself.
struct ResourceId {
  std::uint64_t table = 0;
  std::uint64_t index = 0;

  friend auto operator<=>(const ResourceId&, const ResourceId&) = default;
};

// The heat of a resource in some time: units by 32 ranges of hashes.
struct HeatRows {
  std::array<float, kHeatRows> read = {};
  std::array<float, kHeatRows> write = {};

  void Add(const HeatRows& other);
};

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

 private:
  struct Bucket {
    SecondSums sums;
    double peak_second_read = 0, peak_second_write = 0;
    double peak_minute_read = 0, peak_minute_write = 0;
  };
  struct Units {
    double read = 0, write = 0;
  };

  // These are called with `mutex_` held.
  std::int64_t BucketOf(std::int64_t epoch_ms) const;
  void Widen();
  void TakePeaks(std::int64_t second_epoch_ms);

  mutable std::mutex mutex_;  // guards what follows
  std::int64_t bucket_ms_ = kSecondMs;
  std::map<std::int64_t, Bucket> buckets_;  // by their beginning
  std::map<std::int64_t, Units> seconds_;   // the latest seconds and minutes
  std::map<std::int64_t, Units> minutes_;
};

}  // namespace hashrange
