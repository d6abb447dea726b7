// Tests of one partition: its buckets, its replicas, how long it has been hot.
#include "simulation/partitions/physical_partition.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

PhysicalPartition MakePartition(const PartitionParameters& parameters) {
  return {parameters, {.number = 1, .cause = "beginning", .began_ms = kStartMs}, {}};
}

// Takes one access of `units` after another while the partition is open. Returns how many.
int TakeAll(PhysicalPartition& partition, Draw draw, double units, std::int64_t now_ms) {
  int taken = 0;
  for (; partition.IsOpen(draw, now_ms); ++taken) partition.Take(draw, units, now_ms);
  return taken;
}

TEST(PhysicalPartition, SavesHalfASecondOfEachBucket) {
  const PartitionParameters parameters;
  PhysicalPartition partition = MakePartition(parameters);
  EXPECT_EQ(TakeAll(partition, kAnyWrite, 1, kStartMs + 3'600'000), 500);
  EXPECT_EQ(TakeAll(partition, kAnyStrongRead, 1, kStartMs + 3'600'000), 1500);
}

// An eventually consistent read of half a unit is one unit of a replica's work.
TEST(PhysicalPartition, ThreeReplicasServeEventuallyConsistentReads) {
  const PartitionParameters parameters;
  PhysicalPartition partition = MakePartition(parameters);
  EXPECT_EQ(TakeAll(partition, kAnyEventualRead, 0.5, kStartMs), 4500);
  EXPECT_FALSE(partition.IsOpen(kAnyStrongRead, kStartMs));
  EXPECT_EQ(TakeAll(partition, kAnyEventualRead, 0.5, kStartMs + 100), 900);
}

TEST(PhysicalPartition, StrongReadsLeaveTheOtherReplicas) {
  const PartitionParameters parameters;
  PhysicalPartition partition = MakePartition(parameters);
  EXPECT_EQ(TakeAll(partition, kAnyStrongRead, 1, kStartMs), 1500);
  EXPECT_EQ(TakeAll(partition, kAnyEventualRead, 0.5, kStartMs), 3000);
}

TEST(PhysicalPartition, ReadsAndWritesThrottleIndependently) {
  const PartitionParameters parameters;
  PhysicalPartition partition = MakePartition(parameters);
  TakeAll(partition, kAnyEventualRead, 0.5, kStartMs);
  EXPECT_EQ(TakeAll(partition, kAnyWrite, 1, kStartMs), 500);
}

// Whatever was taken before, what is taken in advance and given back changes nothing.
TEST(PhysicalPartition, TakingInAdvanceAndGivingBackChangesNothing) {
  const PartitionParameters parameters;
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    PhysicalPartition partition = MakePartition(parameters);
    PhysicalPartition disturbed = MakePartition(parameters);
    for (int i = 0; i < 200; ++i) {
      const Draw draw = random.Next() % 3 == 0 ? kAnyStrongRead : kAnyEventualRead;
      const double units = static_cast<double>(random.Next() % 10) / 2;
      const Draw other = random.Next() % 2 == 0 ? kAnyStrongRead : kAnyEventualRead;
      const int others = static_cast<int>(random.Next() % 5);
      for (int n = 0; n < others; ++n) disturbed.TakeInAdvance(other, 0.5, kStartMs);
      for (int n = 0; n < others; ++n) disturbed.TakeInAdvance(other, -0.5, kStartMs);
      partition.Take(draw, units, kStartMs);
      disturbed.Take(draw, units, kStartMs);
    }
    EXPECT_EQ(TakeAll(disturbed, kAnyStrongRead, 0.5, kStartMs),
              TakeAll(partition, kAnyStrongRead, 0.5, kStartMs));
    EXPECT_EQ(TakeAll(disturbed, kAnyEventualRead, 0.5, kStartMs),
              TakeAll(partition, kAnyEventualRead, 0.5, kStartMs));
  }
}

// Eventually consistent reads give nothing of theirs to the leader, which strong reads keep busy.
TEST(PhysicalPartition, GivingBackDoesNotFillTheLeader) {
  const PartitionParameters parameters;
  PhysicalPartition partition = MakePartition(parameters);
  TakeAll(partition, kAnyStrongRead, 1, kStartMs);
  for (int i = 0; i < 1000; ++i) {
    partition.TakeInAdvance(kAnyEventualRead, 0.5, kStartMs);
    partition.TakeInAdvance(kAnyEventualRead, -0.5, kStartMs);
    partition.Take(kAnyEventualRead, 0.5, kStartMs);
  }
  EXPECT_FALSE(partition.IsOpen(kAnyStrongRead, kStartMs));
  EXPECT_EQ(TakeAll(partition, kAnyEventualRead, 0.5, kStartMs), 2000);
}

TEST(PhysicalPartition, PartHasTheSavedUnitsAndHalfTheDemand) {
  PartitionParameters parameters;
  parameters.average_ms = 1;
  PhysicalPartition parent = MakePartition(parameters);
  parent.Take(kAnyWrite, 300, kStartMs);
  parent.AddDemand(kAnyWrite, 1500);
  parent.AddDemand(kAnyStrongRead, 600);
  parent.EndSeconds(1, DemandAverage::KeptInASecond(1), kStartMs + 1000);
  EXPECT_EQ(parent.HeatOf(Direction::kWrite), 1.5);
  EXPECT_NEAR(parent.HeatOf(Direction::kRead), 0.2, 1e-9);
  PhysicalPartition part(parent, {.number = 2, .parent = 1, .cause = "heat", .began_ms = kStartMs},
                         {5, "k"});
  EXPECT_EQ(part.HeatOf(Direction::kWrite), 0.75);
  EXPECT_NEAR(part.HeatOf(Direction::kRead), 0.1, 1e-9);
  EXPECT_EQ(TakeAll(part, kAnyWrite, 1, kStartMs), 200);
}

TEST(PhysicalPartition, HeatOfReadsIsThatOfTheLeaderOrOfAllReplicas) {
  PartitionParameters parameters;
  PhysicalPartition eventual = MakePartition(parameters);
  eventual.AddDemand(kAnyEventualRead, 4500);
  eventual.EndSeconds(1, 0, kStartMs + 1000);
  EXPECT_EQ(eventual.HeatOf(Direction::kRead), 1);
  PhysicalPartition strong = MakePartition(parameters);
  strong.AddDemand(kAnyStrongRead, 3000);
  strong.EndSeconds(1, 0, kStartMs + 1000);
  EXPECT_EQ(strong.HeatOf(Direction::kRead), 1);
}

TEST(PhysicalPartition, BeginsAtItsFirstPosition) {
  const PartitionParameters parameters;
  const PhysicalPartition partition(parameters, {}, {5, "m"});
  EXPECT_FALSE(partition.BeginsAtOrBefore({4, "z"}));
  EXPECT_FALSE(partition.BeginsAtOrBefore({5, "l"}));
  EXPECT_TRUE(partition.BeginsAtOrBefore({5, "m"}));
  EXPECT_TRUE(partition.BeginsAtOrBefore({6, ""}));
}

// Partitions whose heat is the demand of the latest second, to be cut after ten hot seconds.
struct WatchedPartition {
  PartitionParameters parameters;
  PhysicalPartition partition;
  std::int64_t end_ms = kStartMs;

  explicit WatchedPartition(std::int64_t average_ms = 1)
      : parameters{.average_ms = average_ms, .split_after_ms = 10'000},
        partition(MakePartition(parameters)) {}

  // A second of this demand, and then seconds without any.
  void Pass(double units, std::int64_t seconds = 1) {
    partition.AddDemand(kAnyWrite, units);
    end_ms += 1000 * seconds;
    partition.EndSeconds(seconds, DemandAverage::KeptInASecond(parameters.average_ms), end_ms);
  }
  std::int64_t ReadyMs(std::int64_t earliest_ms = 0) const {
    return partition.ReadyMs(Direction::kWrite, earliest_ms);
  }
};

TEST(PhysicalPartition, IsReadyWhenItWasHotForLongEnough) {
  WatchedPartition watched;
  for (int second = 1; second <= 10; ++second) watched.Pass(901);
  EXPECT_EQ(watched.ReadyMs(), 0);
  watched.Pass(901);
  EXPECT_EQ(watched.ReadyMs(), kStartMs + 11'000);
  EXPECT_EQ(watched.ReadyMs(kStartMs + 11'500), kStartMs + 11'500);
  // A partition that has cooled down is not cut any more.
  watched.Pass(0, 1000);
  EXPECT_EQ(watched.ReadyMs(), 0);
}

TEST(PhysicalPartition, SecondThatIsNotHotBeginsAnew) {
  WatchedPartition watched;
  for (int second = 1; second <= 10; ++second) watched.Pass(901);
  watched.Pass(900);
  for (int second = 12; second <= 21; ++second) watched.Pass(901);
  EXPECT_EQ(watched.ReadyMs(), 0);
  watched.Pass(901);
  EXPECT_EQ(watched.ReadyMs(), kStartMs + 22'000);
}

TEST(PhysicalPartition, RestartCountsAnew) {
  WatchedPartition watched;
  for (int second = 1; second <= 11; ++second) watched.Pass(901);
  watched.partition.RestartHeat(Direction::kWrite, watched.end_ms);
  EXPECT_EQ(watched.ReadyMs(), 0);
  for (int second = 1; second <= 9; ++second) watched.Pass(901);
  EXPECT_EQ(watched.ReadyMs(), 0);
  watched.Pass(901);
  EXPECT_EQ(watched.ReadyMs(), kStartMs + 21'000);
}

// A long average stays hot for a while without demand: from 2,000 it falls to 900 in 48 s.
TEST(PhysicalPartition, SilenceIsHotUntilTheAverageHasFallen) {
  for (const double heat : {1000.0, 2000.0}) {
    WatchedPartition watched(60'000);
    watched.Pass(60.5 * heat);
    watched.Pass(0, 3600);
    EXPECT_EQ(watched.ReadyMs(), heat == 1000 ? 0 : kStartMs + 11'000) << heat;
    EXPECT_EQ(watched.ReadyMs(kStartMs + 48'000), heat == 1000 ? 0 : kStartMs + 48'000) << heat;
    EXPECT_EQ(watched.ReadyMs(kStartMs + 50'000), 0) << heat;
  }
}

// A clock that jumps gives the same as a clock that ticks.
TEST(PhysicalPartition, JumpIsLikeSecondAfterSecond) {
  Random random(5);
  int ready = 0;
  for (int round = 0; round < 300; ++round) {
    WatchedPartition jumps(20'000);
    WatchedPartition ticks(20'000);
    for (int i = 0; i < 30; ++i) {
      const double units = static_cast<double>(random.Next() % 40'000);
      const auto seconds = static_cast<std::int64_t>(1 + random.Next() % 30);
      jumps.Pass(units, seconds);
      ticks.Pass(units);
      for (std::int64_t second = 1; second < seconds; ++second) ticks.Pass(0);
      ASSERT_EQ(jumps.ReadyMs(jumps.end_ms), ticks.ReadyMs(ticks.end_ms)) << round << " " << i;
      if (jumps.ReadyMs(jumps.end_ms) != 0) {
        ++ready;
        ASSERT_EQ(jumps.ReadyMs(), ticks.ReadyMs()) << round << " " << i;
      }
      ASSERT_NEAR(jumps.partition.HeatOf(Direction::kWrite),
                  ticks.partition.HeatOf(Direction::kWrite), 1e-9);
    }
  }
  EXPECT_GT(ready, 300);
  EXPECT_LT(ready, 300 * 30);
}

TEST(PhysicalPartition, KeysAreSampledWhileItIsWarm) {
  WatchedPartition watched;
  const OwnedPosition position(1, "a");
  watched.Pass(449);
  watched.partition.AddSample(SampleKey(), kAnyWrite, position.span(), 1, 1);
  EXPECT_EQ(watched.partition.samples(Direction::kWrite), nullptr);
  watched.Pass(451);
  watched.partition.AddSample(SampleKey(), kAnyWrite, position.span(), 1, 1);
  EXPECT_NE(watched.partition.samples(Direction::kWrite), nullptr);
  watched.Pass(0);
  EXPECT_EQ(watched.partition.samples(Direction::kWrite), nullptr);
}

TEST(PhysicalPartition, LeastPartitionServesOneUnitASecond) {
  PartitionParameters parameters;
  parameters.read_units = parameters.write_units = 1;
  parameters.burst_ms = 1;
  PhysicalPartition partition = MakePartition(parameters);
  EXPECT_EQ(TakeAll(partition, kAnyWrite, 1, kStartMs), 1);
  EXPECT_FALSE(partition.IsOpen(kAnyWrite, kStartMs + 999));
  EXPECT_TRUE(partition.IsOpen(kAnyWrite, kStartMs + 1000));
  EXPECT_EQ(TakeAll(partition, kAnyStrongRead, 1, kStartMs), 1);
}

TEST(PhysicalPartition, LargestPartitionDoesNotOverflow) {
  PartitionParameters parameters;
  parameters.read_units = parameters.write_units = INT64_MAX;
  parameters.burst_ms = 300'000;
  parameters.average_ms = INT64_MAX;
  PhysicalPartition partition = MakePartition(parameters);
  partition.Take(kAnyWrite, 1e11, kStartMs);
  partition.AddDemand(kAnyWrite, 1e12);
  partition.EndSeconds(1'000'000, DemandAverage::KeptInASecond(parameters.average_ms), kStartMs);
  EXPECT_TRUE(partition.IsOpen(kAnyWrite, kStartMs));
  EXPECT_EQ(partition.ReadyMs(Direction::kWrite, 0), 0);
}

TEST(PhysicalPartition, APartOfACutBeginsWithHalfOfTheHeat) {
  const PartitionParameters parameters;
  for (const Draw draw : {kAnyWrite, kAnyStrongRead, kAnyEventualRead}) {
    PhysicalPartition partition = MakePartition(parameters);
    partition.AddDemand(draw, 1000);
    partition.EndSeconds(1, 0.5, kStartMs + 1000);
    const PhysicalPartition part(partition,
                                 {.number = 2, .cause = "heat", .began_ms = kStartMs + 1000}, {});
    EXPECT_GT(partition.HeatOf(draw.direction), 0);
    EXPECT_DOUBLE_EQ(part.HeatOf(draw.direction), partition.HeatOf(draw.direction) / 2);
  }
}

TEST(DemandAverage, SecondUnderWayDoesNotCountYet) {
  DemandAverage average;
  average.Add(100);
  EXPECT_EQ(average.units_per_second(), 0);
  average.EndSeconds(1, DemandAverage::KeptInASecond(kMinuteMs));
  EXPECT_NEAR(average.units_per_second(), 100 * (1 - std::exp(-1.0 / 60)), 1e-9);
}

TEST(DemandAverage, FollowsANewDemandBy63PercentInItsTime) {
  DemandAverage average;
  for (int second = 0; second < 60; ++second) {
    average.Add(1000);
    average.EndSeconds(1, DemandAverage::KeptInASecond(kMinuteMs));
  }
  EXPECT_NEAR(average.units_per_second(), 632.12, 0.01);
}

TEST(DemandAverage, SeveralSecondsAtOnceAreLikeOneAfterAnother) {
  const double keep = DemandAverage::KeptInASecond(kMinuteMs);
  DemandAverage at_once;
  DemandAverage each_second;
  for (DemandAverage* average : {&at_once, &each_second}) {
    average->Set(500);
    average->Add(300);
  }
  at_once.EndSeconds(100, keep);
  for (int second = 0; second < 100; ++second) each_second.EndSeconds(1, keep);
  EXPECT_NEAR(at_once.units_per_second(), each_second.units_per_second(), 1e-9);
}

TEST(DemandAverage, AverageOfNoTimeIsTheLatestSecond) {
  for (const std::int64_t average_ms : {std::int64_t{0}, std::int64_t{1}}) {
    DemandAverage average;
    average.Set(1e6);
    average.Add(7);
    average.EndSeconds(1, DemandAverage::KeptInASecond(average_ms));
    EXPECT_EQ(average.units_per_second(), 7);
  }
}

TEST(DemandAverage, YearsOfSilenceLeaveNothing) {
  DemandAverage average;
  average.Set(1e12);
  average.EndSeconds(1'000'000'000, DemandAverage::KeptInASecond(kMinuteMs));
  EXPECT_EQ(average.units_per_second(), 0);
}

}  // namespace
}  // namespace hashrange::test
