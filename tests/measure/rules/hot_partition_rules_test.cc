#include <gtest/gtest.h>

#include <string>

#include "measure/four_partitions.h"
#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

constexpr std::int64_t kBegin = 1'700'000'040'000;

// 120,000 puts of one unit, most of them in partition 1.
Measurement Orders() {
  Measurement measurement = ShopMeasurement();
  measurement.began_epoch_ms = kBegin;
  measurement.ended_epoch_ms = kBegin + 120'000;
  PatternMeasure put = OnePattern("PutItem", "put", 120'000);
  put.units = {{"shop", "", 0, 120'000}};
  measurement.patterns = {put};
  measurement.resources = {{.table = "shop", .write_units = 120'000}};
  measurement.partitions = {FourPartitions(kBegin)};
  return measurement;
}

// Sets a figure of partition 1 in each slice.
void SetInSlices(Measurement& measurement, double PartitionHeat::*figure, double value) {
  for (PartitionSlice& slice : measurement.partitions[0].slices) {
    slice.partitions[0].*figure = value;
  }
}

const std::string kEvidence =
    "Partition 1 (0 % to 25 % of the hashes) throttled 900 writes. Meanwhile it had 95 % of "
    "the write demand, and all partitions together used 25 % of what they serve. It was not cut: "
    "its "
    "sort keys rise or fall, so that all new items meet at one end. (modelled)";

TEST(HotPartitionRule, AThrottlingPartitionAmongIdleOnesIsFound) {
  EXPECT_EQ(Judge("hot-partition", Orders()), "hint [shop]: " + kEvidence);
}

TEST(HotPartitionRule, TheShareOfThrottledAccessesMakesItSevere) {
  Measurement measurement = Orders();
  measurement.patterns[0].calls = 89'100;  // 900 of 90,000
  EXPECT_EQ(Judge("hot-partition", measurement), "warning [shop]: " + kEvidence);
  measurement.patterns[0].calls = 8100;
  EXPECT_EQ(Judge("hot-partition", measurement), "severe [shop]: " + kEvidence);
  // Each call is a batch of 100 members.
  measurement.patterns[0].members_a_call.Add(100, 8100);
  EXPECT_EQ(Judge("hot-partition", measurement), "hint [shop]: " + kEvidence);
}

TEST(HotPartitionRule, WhatIsOnlyWatchedWouldHaveThrottled) {
  Measurement measurement = Orders();
  measurement.partitions[0].mode = "watch";
  measurement.patterns[0].calls = 90'000;  // which all succeeded
  measurement.partitions[0].partitions[0].uncut = "";
  EXPECT_EQ(Judge("hot-partition", measurement),
            "warning [shop]: Partition 1 (0 % to 25 % of the hashes) would have throttled 900 "
            "writes. Meanwhile it had 95 % of the write demand, and all partitions together used "
            "25 % of what they serve. It was not hot for long enough to be cut. (modelled)");
  measurement.partitions[0].partitions[0].ended_epoch_ms = kBegin + 120'001;
  EXPECT_TRUE(Judge("hot-partition", measurement).ends_with("It was cut later. (modelled)"));
}

// Of 300,000 units a minute the partition would have served 60,000, which is a quarter of what all
// four serve.
TEST(HotPartitionRule, WhatIsWatchedBeyondAPartitionTakesNoRoom) {
  Measurement measurement = Orders();
  measurement.partitions[0].mode = "watch";
  SetInSlices(measurement, &PartitionHeat::write_demand, 300'000);
  const std::string text = Judge("hot-partition", measurement);
  EXPECT_NE(text.find("it had >99 % of the write demand, and all partitions together used 26 % of "
                      "what they serve."),
            text.npos)
      << text;
}

// In the first minute it took 30,000 of 33,000 units; it was not there in the second.
TEST(HotPartitionRule, FiguresAreOfTheTimeInWhichThePartitionThrottled) {
  Measurement measurement = Orders();
  PartitionMap& map = measurement.partitions[0];
  map.partitions[0].ended_epoch_ms = kBegin + 60'001;
  map.slices[0].partitions[0].write_demand = 30'000;
  map.slices[1].partitions.erase(map.slices[1].partitions.begin());
  map.slices[1].partitions[0].throttled_writes = 1;
  EXPECT_EQ(
      Judge("hot-partition", measurement),
      "hint [shop]: Partition 1 (0 % to 25 % of the hashes) throttled 450 writes. "
      "Meanwhile it had 91 % of the write demand, and all partitions together used 14 % of what "
      "they serve. It was cut later. (modelled)");
}

TEST(HotPartitionRule, AdviceIsThatOfTheCause) {
  Measurement measurement = Orders();
  const auto advice = [&measurement] {
    for (const Finding& finding : AssessDesign(measurement, {}).findings) {
      if (finding.slug == "hot-partition") return finding.advice;
    }
    return std::string("no finding");
  };
  EXPECT_EQ(advice(),
            "Add a shard number to the partition key, or use a sort key that does not rise with "
            "time.");
  measurement.partitions[0].partitions[0].uncut = "";
  EXPECT_EQ(advice(),
            "Spread the keys: add a shard number to the partition key, or choose a key with more "
            "values.");
}

// 96 % of the writes are more than what the other partitions took.
TEST(HotPartitionRule, TheKeyIsNamedWhereItMustBeInThePartition) {
  Measurement measurement = Orders();
  TopKeys& written = measurement.resources[0].written_keys;
  written = {120'000, 0, {{"PK=ORDERS", "PK=ORDERS", 114'000, 0}}};
  EXPECT_EQ(Judge("hot-partition", measurement), "hint [shop key PK=ORDERS]: " + kEvidence);
  written.keys[0].error = 108'000;
  EXPECT_EQ(Judge("hot-partition", measurement), "hint [shop]: " + kEvidence);
}

// The rule of rising sort keys says the same of the key, as a warning.
TEST(HotPartitionRule, WhatAnotherRuleSaysOfTheKeyIsNotRepeatedUnlessItIsWorse) {
  Measurement measurement = Orders();
  ResourceMeasure& resource = measurement.resources[0];
  resource.written_keys = {120'000, 0, {{"PK=ORDERS", "PK=ORDERS", 114'000, 0}}};
  resource.writes_in_order_known = resource.rising_writes = 114'000;
  ASSERT_TRUE(Judge("rising-sort-key", measurement).starts_with("warning [shop key PK=ORDERS]"));
  EXPECT_EQ(Judge("hot-partition", measurement), "clean");
  measurement.patterns[0].calls = 100;
  EXPECT_EQ(Judge("hot-partition", measurement), "severe [shop key PK=ORDERS]: " + kEvidence);
}

TEST(HotPartitionRule, WithoutRoomNoPartitionIsToBlame) {
  Measurement full = Orders();
  for (PartitionSlice& slice : full.partitions[0].slices) {
    for (PartitionHeat& heat : slice.partitions) heat.write_demand = 55'000;
  }
  EXPECT_EQ(Judge("hot-partition", full), "clean");
  // Of one partition there are no others that have room.
  Measurement one = Orders();
  for (std::size_t at = 1; at < 4; ++at) {
    one.partitions[0].partitions[at].ended_epoch_ms = kBegin + 1;
  }
  EXPECT_EQ(Judge("hot-partition", one), "clean");
}

// Returns orders that are the same in all partitions, of which each throttled as many.
Measurement EvenOrders(double demand_a_minute) {
  Measurement measurement = Orders();
  for (PartitionSlice& slice : measurement.partitions[0].slices) {
    for (PartitionHeat& heat : slice.partitions) {
      heat.write_units = heat.write_demand = demand_a_minute;
      heat.throttled_writes = 5000;
    }
  }
  return measurement;
}

// A burst in a part of a slice lets all partitions throttle, while the slice seems to have room.
TEST(HotPartitionRule, PartitionsThatThrottleAlikeAreNotHot) {
  Measurement measurement = EvenOrders(20'000);
  EXPECT_EQ(Judge("hot-partition", measurement), "clean");
  measurement.partitions[0].slice_ms = 128'000;
  measurement.partitions[0].slices[1].begin_epoch_ms = kBegin + 128'000;
  EXPECT_EQ(Judge("hot-partition", measurement),
            "not assessed: Partitions throttled, but slices of 128 seconds do not tell whether the "
            "others had room at that moment.");
}

TEST(HotPartitionRule, APartitionIsHotWithTwiceItsShareOrMostOfTheThrottles) {
  Measurement measurement = EvenOrders(20'000);
  SetInSlices(measurement, &PartitionHeat::throttled_writes, 29'000);  // of 44,000
  EXPECT_EQ(Judge("hot-partition", measurement), "clean");
  SetInSlices(measurement, &PartitionHeat::throttled_writes, 31'000);
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("severe [shop]: Partition 1 "));
  // 59,000 of 119,000, and then 61,000 of 121,000.
  measurement = EvenOrders(20'000);
  SetInSlices(measurement, &PartitionHeat::write_demand, 59'000);
  EXPECT_EQ(Judge("hot-partition", measurement), "clean");
  SetInSlices(measurement, &PartitionHeat::write_demand, 61'000);
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("severe [shop]: Partition 1 "));
}

// Two partitions of the same load are cut into four in the middle of a slice. Two thirds of what
// two partitions serve are a third of what four serve.
TEST(HotPartitionRule, PartsOfASliceDoNotMakeTheirParentHot) {
  Measurement measurement = EvenOrders(0);
  PartitionMap& map = measurement.partitions[0];
  map.slices.resize(1);
  for (const std::size_t at : {0u, 1u}) {
    map.partitions[at].ended_epoch_ms = map.partitions[at + 2].began_epoch_ms = kBegin + 59'000;
    map.slices[0].partitions[at].write_demand = 40'000;
    map.slices[0].partitions[at + 2].throttled_writes = 0;
  }
  EXPECT_EQ(Judge("hot-partition", measurement), "clean");
}

// The model only watches; what the other partitions were asked for beyond what they serve is not
// in their units.
TEST(HotPartitionRule, AKeyThatMayBeInAnotherPartitionIsNotNamed) {
  Measurement measurement = Orders();
  PartitionMap& map = measurement.partitions[0];
  map.mode = "watch";
  measurement.resources[0].written_keys = {120'000, 0, {{"PK=B", "PK=B", 114'000, 0}}};
  ASSERT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop key PK=B]"));
  map.partitions[1].write_demand = 111'000;
  map.partitions[1].throttled_writes = 109'000;
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop]"));
  // A file from before the demand was counted has what was served.
  map.partitions[1].write_demand = map.partitions[1].write_units;
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop]"));
  map.partitions[1].throttled_writes = 0;
  ASSERT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop key PK=B]"));
  map.began_epoch_ms = kBegin + 1;
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop]"));
}

// 900 units of eventually consistent reads are a demand of 600, as large as the demand of the
// others.
TEST(HotPartitionRule, AKeyIsReadWithAtLeastTwoThirdsOfItsUnits) {
  Measurement measurement = Orders();
  measurement.patterns[0].units[0].read_units = 10'000;
  PartitionMap& map = measurement.partitions[0];
  map.partitions[0].throttled_reads = 1;
  map.partitions[3].read_demand = 0;
  for (PartitionSlice& slice : map.slices) {
    slice.partitions[0].throttled_writes = 0;
    slice.partitions[0].throttled_reads = 1;
  }
  measurement.resources[0].read_keys = {1000, 0, {{"PK=B", "PK=B", 900, 0}}};
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop]"));
  measurement.resources[0].read_keys.keys[0].units = 901;
  EXPECT_TRUE(Judge("hot-partition", measurement).starts_with("hint [shop key PK=B]"));
}

TEST(HotPartitionRule, WithoutAModelNothingIsAssessed) {
  Measurement measurement = Orders();
  SetInSlices(measurement, &PartitionHeat::throttled_writes, 0);
  EXPECT_EQ(Judge("hot-partition", measurement), "clean");
  for (PartitionMeasure& partition : measurement.partitions[0].partitions) {
    partition.read_demand = partition.write_demand = 1;
  }
  EXPECT_EQ(Judge("hot-partition", measurement),
            "not assessed: The partitions that were modelled took fewer than 100 units.");
  measurement.partitions.clear();
  EXPECT_EQ(Judge("hot-partition", measurement), "not assessed: No partitions were modelled.");
}

}  // namespace
}  // namespace hashrange
