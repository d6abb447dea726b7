// Tests of the partitions of one table: when they are cut, and which of them serve an access.
#include "simulation/partitions/physical_partitions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "simulation/partitions/partition_map_checks.h"
#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

constexpr std::uint64_t kUpperHalf = 0x8000000000000000;

// Partitions of ten writes a second, to be cut ten seconds after they are hot, and 5 to 20 more.
PartitionParameters QuickParameters() {
  PartitionParameters parameters;
  parameters.write_units = 10;
  parameters.average_ms = 1;
  parameters.split_after_ms = 10'000;
  parameters.least_split_delay_ms = 5000;
  parameters.greatest_split_delay_ms = 20'000;
  return parameters;
}

class PhysicalPartitionsTest : public testing::Test {
 protected:
  void Begin(std::size_t count, std::uint64_t seed = 1) {
    set_ = std::make_unique<PhysicalPartitions>(parameters_, SampleKey(), seed, kStartMs);
    set_->GrowTo(count, "throughput");
    now_ms_ = kStartMs;
  }
  PartitionMap Map() const {
    PartitionMap map;
    set_->Describe(&map);
    return map;
  }
  // Passes seconds, in each of which `access` is called so often.
  template <typename Access>
  void PassSeconds(int seconds, int accesses, const Access& access) {
    for (int second = 0; second < seconds; ++second) {
      for (int i = 0; i < accesses; ++i) access();
      Pass(1000);
    }
  }
  OwnedPosition RandomOf(std::uint64_t hash) {
    return OwnedPosition(hash, std::to_string(random_.Next()));
  }
  // Seconds in which so many writes go to random sort keys of one hash.
  void Heat(std::uint64_t hash, int writes, int seconds) {
    PassSeconds(seconds, writes, [&] { Write(RandomOf(hash)); });
  }
  void Write(const OwnedPosition& position) { set_->Take(kAnyWrite, position.span(), 1); }
  void Pass(std::int64_t ms) { set_->Advance(now_ms_ += ms); }
  // When the first cut was made, in ms since the start; 0: none.
  std::int64_t FirstCutMs() const {
    std::int64_t first = 0;
    for (const PartitionMeasure& each : Map().partitions) {
      const std::int64_t ended = each.ended_epoch_ms == 0 ? 0 : each.ended_epoch_ms - kStartMs;
      if (ended != 0 && (first == 0 || ended < first)) first = ended;
    }
    return first;
  }

  PartitionParameters parameters_ = QuickParameters();
  std::unique_ptr<PhysicalPartitions> set_;
  std::int64_t now_ms_ = kStartMs;
  Random random_{1};
};

TEST_F(PhysicalPartitionsTest, BeginsWithPartitionsOfEqualSize) {
  Begin(4);
  const PartitionMap map = Map();
  EXPECT_EQ(RangeComplaint(map), "");
  ASSERT_EQ(map.partitions.size(), 4u);
  EXPECT_EQ(map.partitions[1].first_hash, "4000000000000000");
  EXPECT_EQ(map.partitions[1].last_hash, "7fffffffffffffff");
  EXPECT_EQ(map.partitions[1].cause, "beginning");
}

TEST_F(PhysicalPartitionsTest, GrowsByCuttingTheWidest) {
  Begin(3);
  set_->GrowTo(5, "size");
  const PartitionMap map = Map();
  EXPECT_EQ(RangeComplaint(map), "");
  EXPECT_EQ(ParentComplaint(map), "");
  EXPECT_EQ(set_->size(), 5u);
  EXPECT_EQ(map.partitions.back().cause, "size");
  // It never shrinks.
  set_->GrowTo(2, "size");
  EXPECT_EQ(set_->size(), 5u);
}

TEST_F(PhysicalPartitionsTest, HasAtLeastOnePartitionAndAtMostSoMany) {
  Begin(0);
  EXPECT_EQ(set_->size(), 1u);
  set_->GrowTo(SIZE_MAX, "throughput");
  EXPECT_EQ(set_->size(), PhysicalPartitions::kMaxPartitions / 2);
  EXPECT_EQ(RangeComplaint(Map()), "");
  EXPECT_LE(Map().partitions.size(), PhysicalPartitions::kMaxPartitions);
}

TEST_F(PhysicalPartitionsTest, HeatStopsToCutAtTheGreatestNumber) {
  parameters_.write_units = 1;
  parameters_.split_after_ms = parameters_.least_split_delay_ms = 0;
  parameters_.greatest_split_delay_ms = 0;
  Begin(SIZE_MAX);
  PassSeconds(4, 15'000, [&] { Write(OwnedPosition(random_.Next(), "a")); });
  EXPECT_EQ(RangeComplaint(Map()), "");
  EXPECT_LE(Map().partitions.size(), PhysicalPartitions::kMaxPartitions);
  EXPECT_GE(Map().partitions.size(), PhysicalPartitions::kMaxPartitions - 2);
}

TEST_F(PhysicalPartitionsTest, IsCutAfterItsTimeAndARandomDelay) {
  std::vector<std::int64_t> times;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Begin(1, seed);
    Heat(1, 20, 40);
    times.push_back(FirstCutMs());
    EXPECT_GE(times.back(), 1000 + 10'000 + 5000);
    EXPECT_LE(times.back(), 1000 + 10'000 + 20'000);
  }
  const auto [least, greatest] = std::ranges::minmax(times);
  EXPECT_GT(greatest - least, 5000);
}

TEST_F(PhysicalPartitionsTest, HeatThatEndsTooSoonCutsNothing) {
  Begin(1);
  Heat(1, 20, 10);
  Pass(100'000);
  Heat(1, 20, 10);
  Pass(100'000);
  EXPECT_EQ(set_->size(), 1u);
  EXPECT_EQ(Map().partitions[0].uncut, "");
}

// What was hot for long enough is cut even if it is silent during the delay.
TEST_F(PhysicalPartitionsTest, ClockThatJumpsOverTheDelayCutsAtItsMoment) {
  parameters_.greatest_split_delay_ms = parameters_.least_split_delay_ms;
  Begin(1);
  Heat(1, 20, 11);
  Pass(3'600'000);
  EXPECT_EQ(FirstCutMs(), 16'000);
  EXPECT_EQ(RangeComplaint(Map()), "");
  EXPECT_EQ(ParentComplaint(Map()), "");
}

TEST_F(PhysicalPartitionsTest, ClockThatGoesBackChangesNothing) {
  Begin(1);
  Heat(1, 20, 8);
  const std::string before = TextOfMap(Map());
  set_->Advance(now_ms_ - 3'600'000);
  EXPECT_EQ(TextOfMap(Map()), before);
}

TEST_F(PhysicalPartitionsTest, WithoutDelaysItIsCutAtOnce) {
  parameters_.split_after_ms = parameters_.least_split_delay_ms = 0;
  parameters_.greatest_split_delay_ms = 0;
  Begin(1);
  // Keys are sampled in the second after the one that made it hot.
  Heat(1, 20, 1);
  EXPECT_EQ(set_->size(), 1u);
  Heat(1, 20, 1);
  EXPECT_EQ(set_->size(), 2u);
}

TEST_F(PhysicalPartitionsTest, GreatestDelayBelowTheLeastIsTheLeast) {
  parameters_.greatest_split_delay_ms = 0;
  Begin(1);
  Heat(1, 20, 30);
  EXPECT_EQ(FirstCutMs(), 16'000);
}

TEST_F(PhysicalPartitionsTest, HottestIsCutFirstAndOneAtATime) {
  parameters_.greatest_split_delay_ms = parameters_.least_split_delay_ms;
  for (const std::size_t hottest : {0, 1}) {
    Begin(2);
    const std::uint64_t hashes[] = {1, kUpperHalf + 1};
    for (int second = 0; second < 25; ++second) {
      for (int i = 0; i < 15; ++i) Write(RandomOf(hashes[1 - hottest]));
      Heat(hashes[hottest], 30, 1);
    }
    const PartitionMap map = Map();
    EXPECT_EQ(map.partitions[hottest].ended_epoch_ms, kStartMs + 16'000);
    EXPECT_EQ(map.partitions[1 - hottest].ended_epoch_ms, kStartMs + 21'000);
  }
}

// The second one waits for its turn. When the load ends before, it is not cut, and a clock that
// jumps gives the same as one that ticks.
TEST_F(PhysicalPartitionsTest, PartitionThatCoolsDownBeforeItsTurnIsNotCut) {
  parameters_.greatest_split_delay_ms = parameters_.least_split_delay_ms;
  for (const bool jumps : {false, true}) {
    Begin(2);
    for (int second = 0; second < 12; ++second) {
      for (int i = 0; i < 15; ++i) Write(RandomOf(1));
      Heat(kUpperHalf + 1, 30, 1);
    }
    for (int second = 0; !jumps && second < 3600; ++second) Pass(1000);
    if (jumps) Pass(3'600'000);
    EXPECT_EQ(FirstCutMs(), 16'000);
    EXPECT_EQ(set_->size(), 3u);
  }
}

TEST_F(PhysicalPartitionsTest, ReasonWhyItWasNotCutIsTold) {
  Begin(1);
  PassSeconds(40, 20, [&] { Write(OwnedPosition(1, "one")); });
  EXPECT_EQ(set_->size(), 1u);
  EXPECT_EQ(Map().partitions[0].uncut, "item");
  Begin(1);
  set_->SetLocalIndex(true);
  Heat(1, 20, 40);
  EXPECT_EQ(set_->size(), 1u);
  EXPECT_EQ(Map().partitions[0].uncut, "local index");
}

TEST_F(PhysicalPartitionsTest, RefusedDemandIsHeat) {
  Begin(1);
  PassSeconds(40, 20, [&] { set_->AddRefused(kAnyWrite, RandomOf(1), 1); });
  EXPECT_EQ(set_->size(), 2u);
  EXPECT_EQ(Map().partitions[0].write_units, 0);
  EXPECT_GT(Map().partitions[0].throttled_writes, 300);
}

TEST_F(PhysicalPartitionsTest, WhatIsTakenInAdvanceIsNoHeat) {
  Begin(1);
  PassSeconds(40, 20, [&] { set_->TakeInAdvance(kAnyWrite, RandomOf(1), 1); });
  EXPECT_EQ(set_->size(), 1u);
  EXPECT_EQ(Map().partitions[0].write_heat, 0);
  EXPECT_EQ(Map().partitions[0].write_units, 0);
}

TEST_F(PhysicalPartitionsTest, SpanTakesFromEachPartitionByItsHashes) {
  Begin(4);
  const OwnedPosition first(0x2000000000000000, "a");
  const OwnedPosition last(0xA000000000000000, "a");
  set_->Take(kAnyStrongRead, {first, last}, 80);
  const PartitionMap map = Map();
  EXPECT_NEAR(map.partitions[0].read_units, 20, 1e-9);
  EXPECT_NEAR(map.partitions[1].read_units, 40, 1e-9);
  EXPECT_NEAR(map.partitions[2].read_units, 20, 1e-9);
  EXPECT_EQ(map.partitions[3].read_units, 0);
}

TEST_F(PhysicalPartitionsTest, SpanInACutCollectionTakesEqualParts) {
  Begin(1);
  EXPECT_FALSE(set_->IsCut(1));
  Heat(1, 20, 40);
  ASSERT_GE(set_->size(), 2u);
  EXPECT_TRUE(set_->IsCut(1));
  EXPECT_FALSE(set_->IsCut(2));
  const std::vector<PartitionMeasure> before = CurrentPartitions(Map());
  set_->Take(kAnyStrongRead, {OwnedPosition(1, ""), OwnedPosition(1, "~")}, 12);
  for (const PartitionMeasure& each : CurrentPartitions(Map())) {
    EXPECT_NEAR(each.read_units, 12.0 / static_cast<double>(before.size()), 1e-9);
  }
}

TEST_F(PhysicalPartitionsTest, DebtClosesForWritesUntilItIsPaid) {
  Begin(2);
  EXPECT_FALSE(set_->HasClosedForWrites());
  set_->Take(kAnyWrite, OwnedPosition(1, "a").span(), 25);
  EXPECT_TRUE(set_->HasClosedForWrites());
  EXPECT_FALSE(set_->IsOpen(kAnyWrite, OwnedPosition(1, "b")));
  EXPECT_TRUE(set_->IsOpen(kAnyWrite, OwnedPosition(kUpperHalf + 1, "b")));
  Pass(2000);
  EXPECT_TRUE(set_->HasClosedForWrites());
  Pass(1);
  EXPECT_FALSE(set_->HasClosedForWrites());
}

TEST_F(PhysicalPartitionsTest, PartsInheritTheDebt) {
  Begin(1);
  set_->Take(kAnyWrite, OwnedPosition(1, "a").span(), 25);
  set_->GrowTo(2, "throughput");
  EXPECT_TRUE(set_->HasClosedForWrites());
  EXPECT_FALSE(set_->IsOpen(kAnyWrite, OwnedPosition(kUpperHalf + 1, "b")));
  Pass(2001);
  EXPECT_FALSE(set_->HasClosedForWrites());
}

// A partition that waits for its cut is cut by growth before. Its plan is dropped, and the hot part
// is cut when it is ready itself.
TEST_F(PhysicalPartitionsTest, GrowthCutsAPartitionWhoseCutIsPlanned) {
  parameters_.least_split_delay_ms = parameters_.greatest_split_delay_ms = 60'000;
  Begin(1);
  Heat(1, 30, 12);
  set_->GrowTo(2, "throughput");
  EXPECT_EQ(FirstCutMs(), 12'000);
  Heat(1, 30, 75);
  const PartitionMap map = Map();
  ASSERT_EQ(map.partitions.size(), 5u);
  EXPECT_EQ(map.partitions[1].ended_epoch_ms, kStartMs + 12'000 + 10'000 + 60'000);
  EXPECT_EQ(ParentComplaint(map), "");
}

// What the partitions tell of themselves.

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
