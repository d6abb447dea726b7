// PhysicalPartition: one physical partition of a table or an index, as modelled: what it can serve,
// how hot it is, which keys make it hot, and what it served over time. Not thread-safe.
//
//   writes                       one bucket
//   strongly consistent reads    the bucket of the leader
//   eventually consistent reads  the buckets of three replicas, of which the leader is one. A read
//                                of half a unit is one unit of a replica's work, so the three serve
//                                1.5 × what the leader serves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "simulation/partitions/cut_decision.h"
#include "simulation/partitions/draw.h"
#include "simulation/partitions/heat_history.h"
#include "simulation/partitions/partition_parameters.h"
#include "simulation/partitions/token_bucket.h"
#include "value/schema.h"

namespace hashrange {

// The moving average of a demand in units a second. Each second counts less than the second after
// it, so that the average follows a new demand by 63 % in the time of the average.
class DemandAverage {
 public:
  // Adds to the demand of the second that is under way.
  void Add(double units) { current_ += units; }
  // Ends the second that is under way, and `seconds` − 1 others without demand after it.
  // `keep` is what an average keeps of itself in a second: KeptInASecond.
  void EndSeconds(std::int64_t seconds, double keep);
  // Returns the average of the seconds that have ended.
  double units_per_second() const { return average_; }
  void Set(double units_per_second) { average_ = units_per_second; }

  static double KeptInASecond(std::int64_t average_ms);

 private:
  double average_ = 0;
  double current_ = 0;
};

// The first position of a partition. `key` is empty unless an item collection was cut there.
struct PartitionBegin {
  std::uint64_t hash = 0;
  std::string key = {};
};

struct PartitionOrigin {
  std::int64_t number = 1;
  std::int64_t parent = 0;  // 0: none
  std::string_view cause;   // PartitionMeasure::cause
  std::int64_t began_ms = 0;
};

class PhysicalPartition {
 public:
  // `parameters` outlive the partition.
  PhysicalPartition(const PartitionParameters& parameters, PartitionOrigin origin,
                    PartitionBegin begin);
  // A part of `parent`, with the same saved units and half of its demand.
  PhysicalPartition(const PhysicalPartition& parent, PartitionOrigin origin, PartitionBegin begin);

  const PartitionOrigin& origin() const { return origin_; }
  const PartitionBegin& begin() const { return begin_; }
  // Returns whether the position is not before the partition's first one.
  bool BeginsAtOrBefore(const Position& position) const;

  bool IsOpen(Draw draw, std::int64_t now_ms);
  // Takes the units of an access from its bucket.
  void Take(Draw draw, double units, std::int64_t now_ms);
  // Takes units before the access, or gives them back, as negative units, to the replica from which
  // they were taken.
  void TakeInAdvance(Draw draw, double units, std::int64_t now_ms);

  // Counts a demand, whether it is served or refused.
  void AddDemand(Draw draw, double units);
  // Samples the keys of a demand while the partition is warm.
  void AddSample(const KeySchema& key, Draw draw, const PositionSpan& span, double units,
                 std::uint64_t seed);
  const KeySamples* samples(Direction direction) const;
  void EndSamples();

  // Ends `seconds` seconds of the averages: the one under way, and others without demand after it.
  // `end_ms` is the end of the last one.
  void EndSeconds(std::int64_t seconds, double keep, std::int64_t end_ms);
  // Returns the moving average of the demand, as a share of what the partition serves.
  double HeatOf(Direction direction) const;
  // Returns the first moment, from `earliest_ms` on, at which the partition is hot and has been for
  // long enough to be cut; 0 if there is none in the seconds that have ended.
  std::int64_t ReadyMs(Direction direction, std::int64_t earliest_ms) const;
  // Begins anew to count how long the partition has been hot.
  void RestartHeat(Direction direction, std::int64_t now_ms);

  HeatHistory history;
  std::int64_t ended_ms = 0;    // 0: it is there still
  std::string_view uncut = {};  // PartitionMeasure::uncut
  bool is_cut_planned = false;  // it will be cut soon, so its samples are kept
  bool is_in_debt = false;      // whether PhysicalPartitions has it in its list of debtors

 private:
  struct HeatWatch {
    std::int64_t hot_since_ms = 0;  // 0: it is not hot
    std::int64_t ready_ms = 0;      // since then it has been hot for long enough; 0: it has not
    std::int64_t hot_until_ms = 0;  // when it cooled down after ready_ms; 0: it is hot still
    std::unique_ptr<KeySamples> samples;  // null: not warm
  };

  // Returns the replica that serves the next eventually consistent read: the one with the most
  // left.
  std::size_t FreestReplica(std::int64_t now_ms);
  TokenBucket& BucketFor(Draw draw, std::int64_t now_ms);
  void WatchHeat(HeatWatch& watch, double heat_at_first, double heat, std::int64_t seconds,
                 double keep, std::int64_t end_ms);

  const PartitionParameters* parameters_;
  PartitionOrigin origin_;
  PartitionBegin begin_;
  std::array<TokenBucket, kReplicas> replicas_;  // the first is the leader
  // What was taken in advance from each replica for eventually consistent reads, in units of work.
  std::array<double, kReplicas> in_advance_ = {};
  TokenBucket writes_;
  DemandAverage write_demand_;
  DemandAverage leader_demand_;       // strongly consistent reads, in units of work
  DemandAverage replica_demand_;      // all reads, in units of work
  std::array<HeatWatch, 2> watches_;  // by Direction
};

}  // namespace hashrange
