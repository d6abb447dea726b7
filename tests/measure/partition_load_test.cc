#include "measure/partition_load.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/four_partitions.h"

namespace hashrange {
namespace {

constexpr std::int64_t kBegin = 1'700'000'040'000;  // a whole minute, and a whole multiple of 8 s
constexpr std::int64_t kMinuteMs = 60'000;

// 10,000 calls at the begin of the first minute and 100,000 at the begin of the second.
Measurement TwoMinutes() {
  Measurement measurement;
  measurement.began_epoch_ms = kBegin;
  measurement.ended_epoch_ms = kBegin + 2 * kMinuteMs;
  measurement.time = {15'000,
                      {{.begin_epoch_ms = kBegin, .calls = 10'000},
                       {.begin_epoch_ms = kBegin + kMinuteMs, .calls = 100'000}}};
  return measurement;
}

// Returns "1: 5.700000 from 1700000040000": the hottest partition, its units a call and the begin
// of its window.
std::string LoadText(const PartitionMap& map, const TimeMeasure& time = TwoMinutes().time,
                     double calls = 110'000,
                     const PartitionDirection& direction = kPartitionWrites) {
  const PartitionLoad load = HottestPartition(CallTimes(time), map, calls, direction);
  return std::to_string(load.number) + ": " + std::to_string(load.units_a_call) + " from " +
         std::to_string(load.window_begin_epoch_ms);
}

// In 110,000 calls partition 1 took 114,000 units, and in the first minute 57,000 of 10,000 calls.
TEST(PartitionLoad, TheHottestWindowCounts) {
  Measurement measurement = TwoMinutes();
  const PartitionMap map = FourPartitions(kBegin);
  EXPECT_EQ(LoadText(map, measurement.time), "1: 5.700000 from 1700000040000");
  measurement.time = {};
  EXPECT_EQ(LoadText(map, measurement.time), "1: 1.036364 from 0");
  EXPECT_EQ(LoadText(map, measurement.time, 110'000, kPartitionReads), "1: 0.002727 from 0");
}

TEST(PartitionLoad, AWindowOfFewUnitsOrOfFailedCallsTellsNothing) {
  Measurement measurement = TwoMinutes();
  PartitionMap map = FourPartitions(kBegin);
  for (PartitionHeat& heat : map.slices[0].partitions) heat.write_units = heat.write_demand = 99;
  EXPECT_EQ(LoadText(map, measurement.time), "1: 0.570000 from 1700000100000");
  PartitionHeat& third = map.slices[0].partitions[2];
  third.write_units = third.write_demand = 100'000;
  EXPECT_EQ(LoadText(map, measurement.time), "3: 10.000000 from 1700000040000");
  measurement.time.buckets[0].errors = 5000;
  EXPECT_EQ(LoadText(map, measurement.time), "3: 20.000000 from 1700000040000");
  measurement.time.buckets[0].errors = 10'000;
  EXPECT_EQ(LoadText(map, measurement.time), "3: 0.918182 from 0");
}

TEST(PartitionLoad, APartitionThatWasCutCountsNoMore) {
  PartitionMap map = FourPartitions(kBegin);
  map.partitions[0].ended_epoch_ms = kBegin + kMinuteMs;
  EXPECT_EQ(LoadText(map), "2: 0.100000 from 1700000040000");
  for (PartitionMeasure& partition : map.partitions) partition.ended_epoch_ms = 1;
  EXPECT_EQ(LoadText(map), "0: 0.000000 from 0");
}

// Slices of a minute beside buckets of a quarter of a minute, which begin five seconds later: the
// first slice touches five buckets of 1,000 calls.
TEST(PartitionLoad, CallsOfAllBucketsThatAWindowTouchesCount) {
  Measurement measurement = TwoMinutes();
  measurement.time = {15'000, {}};
  for (int bucket = -1; bucket < 5; ++bucket) {
    measurement.time.buckets.push_back(
        {.begin_epoch_ms = kBegin + 5000 + bucket * 15'000, .calls = 1000});
  }
  PartitionMap map = FourPartitions(kBegin);
  map.slices.resize(1);
  EXPECT_EQ(LoadText(map, measurement.time), "1: 11.400000 from 1700000040000");
}

// Of slices of a second, 64 are a window beside buckets of 16 seconds.
TEST(PartitionLoad, ShortSlicesMakeAWindowTogether) {
  Measurement measurement = TwoMinutes();
  measurement.time = {16'000, {{.begin_epoch_ms = kBegin, .calls = 1000}}};
  PartitionMap map = FourPartitions(kBegin);
  map.slice_ms = 1000;
  map.slices[1].begin_epoch_ms = kBegin + 63'000;
  EXPECT_EQ(LoadText(map, measurement.time, 200'000), "1: 114.000000 from 1700000040000");
  map.slices[1].begin_epoch_ms = kBegin + 64'000;
  EXPECT_EQ(LoadText(map, measurement.time, 200'000), "1: 57.000000 from 1700000040000");
}

TEST(PartitionLoad, SlicesLongerThanADayMakeNoWindow) {
  Measurement measurement = TwoMinutes();
  PartitionMap map = FourPartitions(kBegin);
  map.slice_ms = 86'400'001;
  EXPECT_EQ(LoadText(map, measurement.time), "1: 1.036364 from 0");
}

// The first slice began before the measurement. What it has belongs to the measurement.
TEST(PartitionLoad, SlicesThatBeganBeforeTheMeasurementCount) {
  const PartitionMap map = FourPartitions(kBegin - 30'000);
  const Measurement measurement = TwoMinutes();
  EXPECT_EQ(LoadText(map, measurement.time, 57'000), "1: 5.700000 from 1700000010000");
  EXPECT_EQ(LoadText(map, {}, 57'000), "1: 2.000000 from 0");
  EXPECT_EQ(LoadText(map, measurement.time, 0), "0: 0.000000 from 0");
}

// All of the 57,450 units a minute were of calls that succeeded.
TEST(PartitionLoad, WhatIsOnlyWatchedHasTheDemandOfAllCalls) {
  PartitionMap map = FourPartitions(kBegin);
  map.mode = "watch";
  EXPECT_EQ(LoadText(map), "1: 5.745000 from 1700000040000");
}

// Refused accesses were tried again, and are not of other calls.
TEST(PartitionLoad, WhereAccessesAreRefusedTheServedUnitsAreTheMost) {
  PartitionMap map = FourPartitions(kBegin);
  map.slices[0].partitions[0].write_demand = 500'000;
  EXPECT_EQ(LoadText(map), "1: 5.700000 from 1700000040000");
}

// Two thirds of what eventually consistent reads took.
TEST(PartitionLoad, EventuallyConsistentReadsAskLessOfAPartition) {
  PartitionMap map = FourPartitions(kBegin);
  const Measurement measurement = TwoMinutes();
  map.slices[0].partitions[1].read_units = 30'000;
  map.slices[0].partitions[1].read_demand = 20'000;
  EXPECT_EQ(LoadText(map, measurement.time, 110'000, kPartitionReads),
            "2: 2.000000 from 1700000040000");
}

// One after the other the 200,000 buckets would be looked at 20,000 × 2 times.
TEST(PartitionLoad, ManyMapsBesideManyBucketsTakeLittleTime) {
  TimeMeasure time{1, std::vector<TimeBucket>(200'000)};
  for (std::size_t at = 0; at < time.buckets.size(); ++at) {
    time.buckets[at].begin_epoch_ms = static_cast<std::int64_t>(at);
    time.buckets[at].calls = 1;
  }
  PartitionMap map = FourPartitions(0);
  map.slice_ms = 1;
  map.slices.resize(1);
  const CallTimes times(time);
  for (int maps = 0; maps < 20'000; ++maps) {
    const PartitionLoad load = HottestPartition(times, map, 200'000, kPartitionWrites);
    ASSERT_DOUBLE_EQ(load.units_a_call, 57'000.0 / 60'000);
  }
}

TEST(PartitionLoad, CallsAreThoseOfTheBucketsThatATimeTouches) {
  const TimeMeasure time{10,
                         {{.begin_epoch_ms = 0, .calls = 1},
                          {.begin_epoch_ms = 10, .calls = 20, .errors = 3},
                          {.begin_epoch_ms = 40, .calls = 5, .errors = 9},
                          {.begin_epoch_ms = 50, .calls = 100}}};
  const CallTimes times(time);
  EXPECT_EQ(times.CallsIn(0, 60), 118);
  EXPECT_EQ(times.CallsIn(9, 10), 1);
  EXPECT_EQ(times.CallsIn(9, 11), 18);
  EXPECT_EQ(times.CallsIn(10, 50), 17);
  EXPECT_EQ(times.CallsIn(20, 51), 100);
  EXPECT_EQ(times.CallsIn(60, 90), 0);
  EXPECT_EQ(times.CallsIn(90, 60), 0);
}

}  // namespace
}  // namespace hashrange
