#include "measure/partition_load.h"

#include <gtest/gtest.h>

#include <string>

#include "measure/four_partitions.h"

namespace hashrange {
namespace {

constexpr std::int64_t kBegin = 1'700'000'040'000;  // a whole minute, and a whole multiple of 8 s
constexpr std::int64_t kMinuteMs = 60'000;

// Calls succeeded in the first minute at 10,000 and in the second at 100,000.
Measurement TwoMinutes() {
  Measurement measurement;
  measurement.began_epoch_ms = kBegin;
  measurement.ended_epoch_ms = kBegin + 2 * kMinuteMs;
  measurement.time = {kMinuteMs,
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
            "1: 1.036364 from 0");
  map.slices[0].partitions[2].write_units = 100'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "3: 10.000000 from 1700000040000");
  measurement.time.buckets[0].errors = 5000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "3: 20.000000 from 1700000040000");
  measurement.time.buckets[0].errors = 10'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 1.036364 from 0");
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

// Buckets of 8 seconds and slices of a minute both end each two minutes.
TEST(PartitionLoad, AWindowIsOfWholeSlicesAndBuckets) {
  Measurement measurement = TwoMinutes();
  measurement.time = {8000, {{.begin_epoch_ms = kBegin, .calls = 1000}}};
  PartitionMap map = FourPartitions(kBegin);
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 114.000000 from 1700000040000");
  map.slice_ms = 86'400'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 114.000000 from 1699920000000");
  map.slice_ms = 86'400'001;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 110'000, kPartitionWrites)),
            "1: 1.036364 from 0");
}

// The table was modelled for a minute when the measurement began.
TEST(PartitionLoad, WhatWasBeforeTheMeasurementIsLeftOut) {
  const PartitionMap map = FourPartitions(kBegin - kMinuteMs);
  Measurement measurement = TwoMinutes();
  measurement.time.buckets.insert(measurement.time.buckets.begin(),
                                  {.begin_epoch_ms = kBegin - kMinuteMs, .calls = 1});
  measurement.time.buckets[1].calls = 114'000;
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 57'000, kPartitionWrites)),
            "1: 1.000000 from 0");
  EXPECT_EQ(LoadText(HottestPartition(measurement, map, 0, kPartitionWrites)),
            "0: 0.000000 from 0");
}

}  // namespace
}  // namespace hashrange
