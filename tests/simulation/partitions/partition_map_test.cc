#include "simulation/partitions/partition_map.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hashrange {
namespace {

constexpr std::int64_t kBegan = 1'767'225'600'000;

// Heat of a partition: units written, which were the demand as well, and writes throttled.
PartitionHeat Heat(std::int64_t number, double written, double throttled = 0) {
  return {.number = number,
          .write_units = written,
          .write_demand = written + throttled,
          .throttled_writes = throttled};
}

PartitionSlice Slice(std::int64_t seconds, std::vector<PartitionHeat> heats) {
  return {.begin_epoch_ms = kBegan + seconds * 1000, .partitions = std::move(heats)};
}

// Returns a map of these partitions, with the sums of the slices.
PartitionMap Map(std::int64_t slice_s, std::vector<std::int64_t> numbers,
                 std::vector<PartitionSlice> slices) {
  PartitionMap map{.model = 7, .began_epoch_ms = kBegan, .slice_ms = slice_s * 1000};
  for (const std::int64_t number : numbers) {
    PartitionMeasure& partition = map.partitions.emplace_back();
    partition.number = number;
    for (const PartitionSlice& slice : slices) {
      for (const PartitionHeat& heat : slice.partitions) {
        if (heat.number != number) continue;
        partition.read_units += heat.read_units;
        partition.write_units += heat.write_units;
        partition.read_demand += heat.read_demand;
        partition.write_demand += heat.write_demand;
        partition.throttled_writes += static_cast<std::int64_t>(heat.throttled_writes);
      }
    }
  }
  map.slices = std::move(slices);
  return map;
}

// Returns "1: 5 of 7, 2 throttled" for each partition, then "@8 1: 5 of 7, 2 throttled" for each in
// each slice, in seconds from the begin of the map.
std::string Text(const PartitionMap& map) {
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
  };
  std::string text;
  const auto add = [&](const auto& each) {
    text += std::to_string(each.number) + ": " + number(each.write_units) + " of " +
            number(each.write_demand) + ", " + number(static_cast<double>(each.throttled_writes)) +
            " throttled\n";
  };
  for (const PartitionMeasure& each : map.partitions) add(each);
  for (const PartitionSlice& slice : map.slices) {
    for (const PartitionHeat& each : slice.partitions) {
      text += "@" + std::to_string((slice.begin_epoch_ms - map.began_epoch_ms) / 1000) + " ";
      add(each);
    }
  }
  return text;
}

TEST(PartitionMapDifference, EqualSlicesAreSubtracted) {
  const PartitionMap earlier = Map(1, {1, 2}, {Slice(0, {Heat(1, 5)}), Slice(3, {Heat(2, 4, 1)})});
  const PartitionMap now =
      Map(1, {1, 2},
          {Slice(0, {Heat(1, 5)}), Slice(3, {Heat(1, 2), Heat(2, 10, 3)}), Slice(4, {Heat(2, 1)})});
  EXPECT_EQ(Text(WithoutEarlier(now, earlier)),
            "1: 2 of 2, 0 throttled\n2: 7 of 9, 2 throttled\n"
            "@3 1: 2 of 2, 0 throttled\n@3 2: 6 of 8, 2 throttled\n@4 2: 1 of 1, 0 throttled\n");
}

TEST(PartitionMapDifference, ASliceLosesAllEarlierSlicesThatItCovers) {
  const PartitionMap earlier =
      Map(2, {1}, {Slice(0, {Heat(1, 1)}), Slice(8, {Heat(1, 5)}), Slice(14, {Heat(1, 6, 1)})});
  const PartitionMap now =
      Map(8, {1}, {Slice(0, {Heat(1, 1)}), Slice(8, {Heat(1, 20, 4)}), Slice(16, {Heat(1, 3)})});
  EXPECT_EQ(Text(WithoutEarlier(now, earlier)),
            "1: 12 of 15, 3 throttled\n"
            "@8 1: 9 of 12, 3 throttled\n@16 1: 3 of 3, 0 throttled\n");
}

TEST(PartitionMapDifference, SlicesAreCountedFromTheBeginOfTheModel) {
  const PartitionMap earlier = Map(1, {1}, {Slice(5, {Heat(1, 5)})});
  PartitionMap now = Map(1, {1}, {Slice(5, {Heat(1, 8)}), Slice(6, {Heat(1, 1)})});
  constexpr std::int64_t kSetBackMs = 3'600'500;
  now.began_epoch_ms -= kSetBackMs;
  for (PartitionSlice& slice : now.slices) slice.begin_epoch_ms -= kSetBackMs;
  const PartitionMap left = WithoutEarlier(now, earlier);
  EXPECT_EQ(Text(left),
            "1: 4 of 4, 0 throttled\n@5 1: 3 of 3, 0 throttled\n@6 1: 1 of 1, 0 throttled\n");
  EXPECT_EQ(left.slices[0].begin_epoch_ms, kBegan + 5000 - kSetBackMs);
}

TEST(PartitionMapDifference, EveryCountIsSubtracted) {
  const PartitionHeat before{.number = 1,
                             .read_units = 1,
                             .write_units = 2,
                             .read_demand = 3,
                             .write_demand = 4,
                             .throttled_reads = 5,
                             .throttled_writes = 6};
  const PartitionHeat after{.number = 1,
                            .read_units = 11,
                            .write_units = 22,
                            .read_demand = 33,
                            .write_demand = 44,
                            .throttled_reads = 55,
                            .throttled_writes = 66};
  const PartitionMap left =
      WithoutEarlier(Map(1, {1}, {Slice(0, {after})}), Map(1, {1}, {Slice(0, {before})}));
  ASSERT_EQ(left.slices.size(), 1u);
  const auto counts = [](const auto& each) {
    return std::vector<double>{each.read_units,
                               each.write_units,
                               each.read_demand,
                               each.write_demand,
                               static_cast<double>(each.throttled_reads),
                               static_cast<double>(each.throttled_writes)};
  };
  const std::vector<double> expected = {10, 20, 30, 40, 50, 60};
  EXPECT_EQ(counts(left.slices[0].partitions[0]), expected);
  EXPECT_EQ(counts(left.partitions[0]), expected);
}

TEST(PartitionMapDifference, ThrottlesAreSubtractedByReason) {
  PartitionMap earlier = Map(1, {1}, {}), now = Map(1, {1}, {});
  earlier.throttles = {{"A", 2}, {"C", 4}};
  now.throttles = {{"A", 5}, {"B", 1}, {"C", 4}};
  const PartitionMap left = WithoutEarlier(now, earlier);
  ASSERT_EQ(left.throttles.size(), 2u);
  EXPECT_EQ(left.throttles[0].reason, "A");
  EXPECT_EQ(left.throttles[0].count, 3);
  EXPECT_EQ(left.throttles[1].reason, "B");
  EXPECT_EQ(left.throttles[1].count, 1);
}

TEST(PartitionMapDifference, PartitionsThatHadEndedAreDropped) {
  // 1 had ended; 2 ended later; 3 is there still, and idle. 4 had ended, but something came of the
  // slice in which it ended.
  PartitionMap earlier =
      Map(1, {1, 2, 3, 4}, {Slice(0, {Heat(1, 5), Heat(2, 5), Heat(3, 5), Heat(4, 5)})});
  PartitionMap now =
      Map(1, {1, 2, 3, 4, 5, 6}, {Slice(0, {Heat(1, 5), Heat(2, 5), Heat(3, 5), Heat(4, 6)})});
  for (const std::size_t i : {0, 3}) earlier.partitions[i].ended_epoch_ms = kBegan + 500;
  for (const std::size_t i : {0, 1, 3}) now.partitions[i].ended_epoch_ms = kBegan + 900;
  const std::string nothing = ": 0 of 0, 0 throttled\n";
  EXPECT_EQ(Text(WithoutEarlier(now, earlier)), "2" + nothing + "3" + nothing +
                                                    "4: 1 of 1, 0 throttled\n5" + nothing + "6" +
                                                    nothing + "@0 4: 1 of 1, 0 throttled\n");
}

TEST(PartitionMapDifference, SumsOfFractionsLeaveNoDust) {
  double before = 0, after = 0;
  for (int i = 0; i < 1000; ++i) before += 0.1;
  for (int i = 0; i < 500; ++i) after += 0.2;
  ASSERT_NE(before, after);
  const auto left = [](double now, double earlier) {
    return WithoutEarlier(Map(1, {1}, {Slice(0, {Heat(1, now)})}),
                          Map(1, {1}, {Slice(0, {Heat(1, earlier)})}));
  };
  EXPECT_TRUE(left(after, before).slices.empty());
  EXPECT_TRUE(left(before, after).slices.empty());
  EXPECT_EQ(left(before + 2, after).partitions[0].write_units, 2);
}

TEST(PartitionMapDifference, AMapOfAnotherModelIsLeftAsItIs) {
  const PartitionMap earlier = Map(1, {1}, {Slice(0, {Heat(1, 5)})});
  PartitionMap now = Map(1, {1}, {Slice(0, {Heat(1, 6)})});
  now.throttles = {{"A", 1}};
  now.model = 8;
  const PartitionMap left = WithoutEarlier(now, earlier);
  EXPECT_EQ(Text(left), "1: 6 of 6, 0 throttled\n@0 1: 6 of 6, 0 throttled\n");
  EXPECT_EQ(left.throttles.size(), 1u);
}

}  // namespace
}  // namespace hashrange
