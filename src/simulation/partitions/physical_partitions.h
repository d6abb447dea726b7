// PhysicalPartitions: the partitions of one table or one global index, in the order of their
// positions, and the splits that heat, size and throughput cause. Partitions are cut and never
// merged (docs/service/20-partition-model.md, section 1).
//
//   hot for split_after_ms ── a random delay ── cut at DecideCut, or not
//
// One partition is cut at a time: of those that are due, the hottest first. All that happens at
// random depends on the seed. Advance tells the time; the other functions use that time. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "simulation/partitions/draw.h"
#include "simulation/partitions/heat_history.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/partitions/partition_parameters.h"
#include "simulation/partitions/physical_partition.h"
#include "value/schema.h"

namespace hashrange {

class PhysicalPartitions {
 public:
  // How many partitions there may be, those that were cut included. Beyond that none is cut.
  static constexpr std::size_t kMaxPartitions = 4096;

  // `parameters` outlive the set. `key` is the key of the table or index.
  PhysicalPartitions(const PartitionParameters& parameters, const KeySchema& key,
                     std::uint64_t seed, std::int64_t now_ms);

  // `has_local_index`: whether the table has one, so that no item collection can be cut.
  void SetLocalIndex(bool has_local_index) { has_local_index_ = has_local_index; }
  // Cuts the partitions with the most hashes in halves until there are `count` of them. The first
  // call makes the partitions of equal size that are there from the beginning.
  void GrowTo(std::size_t count, std::string_view cause);

  // Moves the time on, and makes the cuts that are due. A time before the latest changes nothing.
  void Advance(std::int64_t now_ms);

  bool IsOpen(Draw draw, const Position& position);
  // Takes the units of an access. Those of several positions are taken from the partitions of these
  // positions: in proportion to the hashes that each has of them or, within one item collection, in
  // equal parts.
  void Take(Draw draw, const PositionSpan& span, double units);
  // Takes units (or gives back, if negative) that are no demand of their own: the part of a demand
  // that is taken in advance.
  void TakeInAdvance(Draw draw, const Position& position, double units);
  // Counts an access that is refused for want of this partition's throughput: `units` are a demand.
  void AddRefused(Draw draw, const Position& position, double units);
  // Returns whether the item collection of this hash is in several partitions.
  bool IsCut(std::uint64_t hash) const;
  // Returns whether there is a partition that serves no write now.
  bool HasClosedForWrites();

  std::size_t size() const { return partitions_.size(); }
  // Adds the partitions and slices to the map.
  void Describe(PartitionMap* map) const;

 private:
  struct PlannedCut {
    PhysicalPartition* partition = nullptr;  // null: none is planned
    Direction direction = Direction::kWrite;
    std::int64_t due_ms = 0;
  };

  std::size_t IndexOf(const Position& position) const;
  PhysicalPartition& PartitionOf(const Position& position) {
    return *partitions_[IndexOf(position)];
  }
  // Takes units from one partition, and counts them as served.
  void Serve(PhysicalPartition& partition, Draw draw, const PositionSpan& span, double units);
  void WatchDebt(PhysicalPartition& partition);
  // Counts a demand, served or refused. Returns the slot of the present slice.
  HeatSlot& AddDemand(PhysicalPartition& partition, Draw draw, const PositionSpan& span,
                      double units);
  Position FirstOf(std::size_t i) const;  // of the partition at `i`
  // Returns whether there may be one partition more.
  bool HasRoom() const { return partitions_.size() + ended_.size() + 2 <= kMaxPartitions; }
  void PlanCut(std::int64_t earliest_ms);
  void MakePlannedCut();
  // Cuts the partition at `i`. The caller has checked that both parts have positions.
  void CutAt(std::size_t i, PartitionBegin upper, std::string_view cause, std::int64_t at_ms);
  // Returns whether the position is inside the partition at `i`, not its first one.
  bool IsInside(std::size_t i, const PartitionBegin& position) const;
  // Cuts the partition with the most hashes. Returns false when none can be cut.
  bool CutWidest(std::string_view cause);
  std::uint64_t WidthOf(std::size_t i) const;
  PartitionMeasure DescribePartition(const PhysicalPartition& partition,
                                     const PartitionBegin* end) const;

  const PartitionParameters& parameters_;
  const KeySchema key_;
  bool has_local_index_ = false;
  Random random_;
  double keep_;  // DemandAverage::KeptInASecond
  std::int64_t now_ms_;
  std::int64_t second_;
  std::int64_t latest_cut_ms_ = 0;
  std::int64_t next_number_ = 1;
  std::vector<std::unique_ptr<PhysicalPartition>> partitions_;  // ascending by begin
  struct Ended {
    std::unique_ptr<PhysicalPartition> partition;
    std::optional<PartitionBegin> end;  // none: the last position
  };
  std::vector<Ended> ended_;  // ascending by the moment
  std::vector<PhysicalPartition*> debtors_;
  PlannedCut planned_;
  HeatSlices slices_;
};

}  // namespace hashrange
