// Tests of what the partitions tell of themselves.
#include <gtest/gtest.h>

#include "simulation/partitions/partition_map_checks.h"
#include "simulation/partitions/physical_partitions.h"
#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

constexpr std::int64_t kStartMs = 1'700'000'000'000;

struct OnePartition {
  PartitionParameters parameters;
  PhysicalPartitions set{parameters, SampleKey(), 1, kStartMs};

  OnePartition() { set.GrowTo(1, "throughput"); }
  void WriteAt(std::int64_t since_start_ms, double units) {
    set.Advance(kStartMs + since_start_ms);
    set.Take(kAnyWrite, OwnedPosition(1, "a").span(), units);
  }
  PartitionMap Map() const {
    PartitionMap map;
    set.Describe(&map);
    return map;
  }
};

TEST(PhysicalPartitionsMap, TellsUnitsBySlice) {
  OnePartition one;
  one.WriteAt(0, 3);
  one.WriteAt(2500, 4);
  one.set.AddRefused(kAnyEventualRead, OwnedPosition(1, "a"), 0.5);
  const PartitionMap map = one.Map();
  EXPECT_EQ(TextOfMap(map).substr(0, 5), "1000\n");
  ASSERT_EQ(map.slices.size(), 2u);
  EXPECT_EQ(map.slices[0].begin_epoch_ms, kStartMs);
  EXPECT_EQ(map.slices[0].partitions[0].write_units, 3);
  EXPECT_EQ(map.slices[1].begin_epoch_ms, kStartMs + 2000);
  EXPECT_EQ(map.slices[1].partitions[0].write_units, 4);
  EXPECT_EQ(map.slices[1].partitions[0].throttled_reads, 1);
  EXPECT_EQ(map.partitions[0].write_units, 7);
  EXPECT_EQ(map.partitions[0].throttled_reads, 1);
}

// Eventually consistent reads are shared by three replicas, of which each does a whole read.
TEST(PhysicalPartitionsMap, DemandIsThatOfTheBusiestReplica) {
  OnePartition one;
  const OwnedPosition position(1, "a");
  const PositionSpan span = position.span();
  one.set.Take(kAnyEventualRead, span, 30);
  one.set.AddRefused(kAnyEventualRead, OwnedPosition(1, "a"), 1.5);
  EXPECT_EQ(one.Map().partitions[0].read_demand, 21);
  one.set.Take({.direction = Direction::kRead, .is_strong = true}, span, 40);
  one.set.AddRefused(kAnyWrite, OwnedPosition(1, "a"), 2);
  const PartitionMap map = one.Map();
  EXPECT_EQ(map.partitions[0].read_demand, 40);
  EXPECT_EQ(map.partitions[0].read_units, 70);
  EXPECT_EQ(map.partitions[0].write_demand, 2);
  EXPECT_EQ(map.slices[0].partitions[0].read_demand, 40);
  EXPECT_EQ(map.slices[0].partitions[0].write_demand, 2);
}

TEST(PhysicalPartitionsMap, NumbersAscendAndPartsNameTheirParent) {
  OnePartition one;
  one.set.Advance(kStartMs + 5000);
  one.set.GrowTo(3, "size");
  const PartitionMap map = one.Map();
  ASSERT_EQ(map.partitions.size(), 5u);
  const std::int64_t parents[] = {0, 1, 1, 2, 2};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(map.partitions[i].number, static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(map.partitions[i].parent, parents[i]);
  }
  EXPECT_EQ(map.partitions[0].ended_epoch_ms, kStartMs + 5000);
  EXPECT_EQ(map.partitions[1].last_hash, "7fffffffffffffff");
  EXPECT_EQ(map.partitions[2].first_hash, "8000000000000000");
}

TEST(PhysicalPartitionsMap, SlicesBecomeLongerWithTheTime) {
  OnePartition one;
  for (int second = 0; second < 1000; ++second) one.WriteAt(second * 1000, 1);
  const PartitionMap map = one.Map();
  EXPECT_EQ(map.slice_ms, 16'000);
  EXPECT_EQ(map.slices.size(), 63u);
  EXPECT_EQ(map.slices[0].partitions[0].write_units, 16);
  EXPECT_EQ(UnitsOfSlices(map), 1000);
}

TEST(PhysicalPartitionsMap, TellsTheHeatOfWhatIsThere) {
  OnePartition one;
  one.WriteAt(0, 60'500);
  one.set.Advance(kStartMs + 1000);
  EXPECT_NEAR(one.Map().partitions[0].write_heat, 1, 0.001);
  EXPECT_EQ(one.Map().partitions[0].read_heat, 0);
  one.set.GrowTo(2, "throughput");
  EXPECT_EQ(one.Map().partitions[0].write_heat, 0);
  EXPECT_NEAR(one.Map().partitions[1].write_heat, 0.5, 0.001);
}

// The table that is cut inside a collection tells the key at the cut.
TEST(PhysicalPartitionsMap, TellsTheKeyAtWhichACollectionIsCut) {
  OnePartition one;
  for (int second = 0; second < 1600; ++second) {
    for (int i = 0; i < 20; ++i) {
      one.set.Advance(kStartMs + second * 1000 + i * 50);
      const std::string key = i % 2 == 0 ? "apple" : "pear";
      one.set.Take(kAnyWrite, OwnedPosition(1, key).span(), 100);
    }
  }
  const std::vector<PartitionMeasure> current = CurrentPartitions(one.Map());
  ASSERT_EQ(current.size(), 2u);
  EXPECT_EQ(current[0].first_key, "");
  EXPECT_EQ(current[0].last_key, "PK=pk1, SK=pear");
  EXPECT_EQ(current[0].last_hash, "0000000000000001");
  EXPECT_EQ(current[1].first_key, "PK=pk1, SK=pear");
  EXPECT_EQ(current[1].last_key, "");
  EXPECT_EQ(current[1].uncut, "item");
}

}  // namespace
}  // namespace hashrange::test
