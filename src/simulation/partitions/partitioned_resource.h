// PartitionedResource: the model of one table or one global index: its partitions, what it serves
// as a whole if it is on demand, and what it refused. What a provisioned table serves as a whole,
// and the maximum of an on-demand table, are not here: these are declared, and limit tables that
// are not modelled, too (simulation/throughput.h).
//
//   an access is refused for    kAccount   the account's quota of an on-demand table or index
//                               kKeyRange  what an on-demand table has grown to, or its partition
//
// Deterministic: the same seed, times and accesses give the same answers. The time is the caller's
// clock. When it goes back, the model's time stands still until the clock is where it was; when it
// is set back by more than TokenBucket::kTableBurstMs, only until it goes on. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "simulation/partitions/draw.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/partitions/partition_parameters.h"
#include "simulation/partitions/physical_partitions.h"
#include "simulation/partitions/token_bucket.h"

namespace hashrange {

// The throughput that an on-demand table or index has grown to in one direction: the units it was
// made with, or twice its highest minute, whichever is more (docs/service/20-partition-model.md,
// section 1). It grows some time after that minute, and never shrinks.
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

// What is declared about a table or an index, and its size.
struct ResourceSettings {
  bool on_demand = false;
  // Provisioned units a second, by Direction; 0 on demand.
  std::array<std::int64_t, 2> provisioned = {};
  // The warm throughput that a request gave, in units a second, by Direction; 0: none.
  std::array<std::int64_t, 2> warm = {};
  bool has_local_index = false;  // only of a table
  std::int64_t size_bytes = 0;
};

class PartitionedResource {
 public:
  PartitionedResource(const PartitionParameters& parameters, const KeySchema& key,
                      std::uint64_t seed, const ResourceSettings& settings, std::int64_t now_ms);
  // The partitions refer to the parameters, so neither is copied nor moved.
  PartitionedResource(const PartitionedResource&) = delete;
  PartitionedResource& operator=(const PartitionedResource&) = delete;

  // Tells the settings as they are now. More throughput, or a greater size, makes more partitions.
  void SetSettings(const ResourceSettings& settings);
  // Moves the time on; call it before any of the functions below.
  void Advance(std::int64_t now_ms);

  // Returns the limit that an access at this position meets now, if it meets one.
  std::optional<ThrottlingLimit> FindLimit(Draw draw, const Position& position);
  // Takes the units of an access that is served.
  void Take(Draw draw, const PositionSpan& span, double units);
  // Takes units before it is known which positions an access reads and what it costs. Give them
  // back, as negative units, before Take.
  void TakeInAdvance(Draw draw, const Position& position, double units);
  // Counts an access that is refused for want of the resource's units. If the limit is kKeyRange,
  // `units` are a demand for the position's partition, and it counts as throttled there.
  void AddRefused(Draw draw, const Position& position, double units, ThrottlingLimit limit);
  // Returns whether the item collection of this hash is in several partitions.
  bool IsCut(std::uint64_t hash) const { return set_.IsCut(hash); }
  // Returns whether some position could be refused a write now.
  bool HasLimitForWrites();

  // How many accesses were refused.
  std::int64_t refused(Direction direction, ThrottlingLimit limit) const;
  std::size_t partitions() const { return set_.size(); }
  // Returns the map without the names, the mode, the throttles, and what is declared: of an
  // on-demand table or index, the limits are the limits of the model; otherwise 0. Its times are so
  // long before the caller's clock as they are before the model's time.
  PartitionMap Map() const;

 private:
  // One direction.
  struct Side {
    ThroughputGrowth growth;
    TokenBucket grown;  // what an on-demand table has grown to
    TokenBucket quota;  // of the account
    std::array<std::int64_t, kThrottlingLimits> refused = {};
  };

  Side& SideOf(Direction direction) { return sides_[static_cast<std::size_t>(direction)]; }
  Side NewSide(Direction direction) const;
  std::int64_t QuotaOf(Direction direction) const;
  // Returns the limit of the table or index as a whole that an access meets now, if it meets one.
  std::optional<ThrottlingLimit> LimitOfAll(Direction direction);
  // Takes the units that the table or index as a whole serves.
  void TakeOfAll(Direction direction, double units);
  // Begins to limit a table or index that becomes one on demand.
  void BeginOnDemand();
  // Makes as many partitions as the settings and the growth want.
  void Grow();

  const PartitionParameters parameters_;
  const std::int64_t began_ms_;
  ResourceSettings settings_;
  std::int64_t clock_ms_;      // the caller's clock at the latest Advance
  std::int64_t now_ms_;        // the model's time
  std::array<Side, 2> sides_;  // by Direction
  PhysicalPartitions set_;
};

}  // namespace hashrange
