#include "measure/partition_load.h"

#include <gtest/gtest.h>

#include <string>

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

std::string LoadText(const PartitionLoad& load) {
  return std::to_string(load.number) + ": " + std::to_string(load.units_a_call) + " from " +
         std::to_string(load.window_begin_epoch_ms);
}

// In 110,000 calls partition 1 took 114,000 units, and in the first minute 57,000 of 10,000 calls.
TEST(PartitionLoad, TheHottestWindowCounts) {
  Measurement measurement = TwoMinutes();
  const PartitionMap map = FourPartitions(kBegin);
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 5.700000 from 1700000040000");
  measurement.time = {};
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 1.036364 from 0");
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionReads)),
            "1: 0.002727 from 0");
}

TEST(PartitionLoad, AWindowOfFewUnitsOrOfFailedCallsTellsNothing) {
  Measurement measurement = TwoMinutes();
  PartitionMap map = FourPartitions(kBegin);
  for (PartitionHeat& heat : map.slices[0].partitions) heat.write_units = 99;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 0.570000 from 1700000100000");
  map.slices[0].partitions[2].write_units = 100'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "3: 10.000000 from 1700000040000");
  measurement.time.buckets[0].errors = 5000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "3: 20.000000 from 1700000040000");
  measurement.time.buckets[0].errors = 10'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "3: 0.918182 from 0");
}

TEST(PartitionLoad, APartitionThatWasCutCountsNoMore) {
  PartitionMap map = FourPartitions(kBegin);
  map.partitions[0].ended_epoch_ms = kBegin + kMinuteMs;
  EXPECT_EQ(LoadText(HottestPartition(TwoMinutes(), map, 110'000, kPartitionWrites)),
            "2: 0.100000 from 1700000040000");
  for (PartitionMeasure& partition : map.partitions) partition.ended_epoch_ms = 1;
  EXPECT_EQ(LoadText(HottestPartition(TwoMinutes(), map, 110'000, kPartitionWrites)),
            "0: 0.000000 from 0");
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
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 11.400000 from 1700000040000");
}

// Of slices of a second, 64 are a window beside buckets of 16 seconds.
TEST(PartitionLoad, ShortSlicesMakeAWindowTogether) {
  Measurement measurement = TwoMinutes();
  measurement.time = {16'000, {{.begin_epoch_ms = kBegin, .calls = 1000}}};
  PartitionMap map = FourPartitions(kBegin);
  map.slice_ms = 1000;
  map.slices[1].begin_epoch_ms = kBegin + 63'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 200'000, kPartitionWrites)),
            "1: 114.000000 from 1700000040000");
  map.slices[1].begin_epoch_ms = kBegin + 64'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 200'000, kPartitionWrites)),
            "1: 57.000000 from 1700000040000");
}

TEST(PartitionLoad, SlicesLongerThanADayMakeNoWindow) {
  Measurement measurement = TwoMinutes();
  PartitionMap map = FourPartitions(kBegin);
  map.slice_ms = 86'400'001;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 1.036364 from 0");
}

// The table was modelled for a minute and a half when the measurement began.
TEST(PartitionLoad, SlicesThatBeganBeforeTheMeasurementAreLeftOut) {
  PartitionMap map = FourPartitions(kBegin - 90'000);
  map.slices.push_back(map.slices[1]);
  map.slices[2].begin_epoch_ms += kMinuteMs;
  Measurement measurement = TwoMinutes();
  measurement.time.buckets.insert(measurement.time.buckets.begin(),
                                  {.begin_epoch_ms = kBegin - kMinuteMs, .calls = 1});
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 57'000, kPartitionWrites)),
            "1: 1.000000 from 0");
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 0, kPartitionWrites)),
            "0: 0.000000 from 0");
}

}  // namespace
}  // namespace hashrange
