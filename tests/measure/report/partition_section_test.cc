#include "measure/report/partition_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/report/partition_example.h"

namespace hashrange {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int64_t> NumbersOf(const std::vector<PartitionFigure>& partitions) {
  std::vector<std::int64_t> numbers;
  for (const PartitionFigure& each : partitions) numbers.push_back(each.partition->number);
  return numbers;
}

TEST(PartitionFigures, APartitionStandsBetweenTheTwoThatItWasCutInto) {
  const Measurement measurement = ShopWithPartitions().measurement;
  const std::vector<PartitionFigures> figures = PartitionFiguresOf(measurement);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_THAT(NumbersOf(figures[0].partitions), ElementsAre(5, 1, 7, 6, 8, 2, 3, 4));
  EXPECT_EQ(figures[0].label, "shop");
  EXPECT_EQ(figures[1].label, "shop / GSI1");
  EXPECT_EQ(figures[0].present, 6u);
  EXPECT_EQ(figures[0].throttled, 13'323);
}

TEST(PartitionFigures, SplitsAreInTheOrderOfTime) {
  const Measurement measurement = ShopWithPartitions().measurement;
  const auto splits = PartitionFiguresOf(measurement)[0].splits;
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].parent->number, 1);
  EXPECT_EQ(splits[1].parent->number, 6);
  ASSERT_EQ(splits[1].parts.size(), 2u);
  EXPECT_EQ(splits[1].parts[0]->number, 7);
  EXPECT_EQ(splits[1].parts[1]->number, 8);
}

TEST(PartitionFigures, PartsOfAPartitionThatIsNotInTheMapStandByTheirRange) {
  Measurement measurement = ShopWithPartitions().measurement;
  std::vector<PartitionMeasure>& partitions = measurement.partitions[0].partitions;
  std::erase_if(partitions, [](const auto& each) { return each.number == 6 || each.number == 1; });
  const auto figures = PartitionFiguresOf(measurement);
  EXPECT_THAT(NumbersOf(figures[0].partitions), ElementsAre(5, 7, 8, 2, 3, 4));
  EXPECT_THAT(figures[0].splits, IsEmpty());
}

// 60,000 write units a minute are what a partition serves; of reads, 180,000.
TEST(PartitionFigures, HeatIsTheGreaterDemandOfReadsAndWrites) {
  const PartitionMap map = ShopWithPartitions().measurement.partitions[0];
  PartitionHeat heat{.number = 1, .read_demand = 90'000, .write_demand = 6000};
  EXPECT_DOUBLE_EQ(HeatInSlice(map, heat), 0.5);
  heat.write_demand = 45'000;
  EXPECT_DOUBLE_EQ(HeatInSlice(map, heat), 0.75);
  // What was refused is more than what was served.
  heat.write_units = 60'000;
  heat.write_demand = 150'000;
  EXPECT_DOUBLE_EQ(HeatInSlice(map, heat), 2.5);
  PartitionMap unknown = map;
  unknown.partition_read_units = unknown.partition_write_units = 0;
  EXPECT_EQ(HeatInSlice(unknown, heat), 0);
  EXPECT_EQ(PresentHeat({.read_heat = 0.3, .write_heat = 0.2}), 0.3);
}

TEST(PartitionFigures, TheHottestStayInTheirOrder) {
  const Measurement measurement = ShopWithPartitions().measurement;
  const auto figures = PartitionFiguresOf(measurement);
  EXPECT_THAT(NumbersOf(HottestOf(figures[0].partitions, 3)), ElementsAre(1, 6, 8));
  EXPECT_EQ(HottestOf(figures[0].partitions, 8).size(), 8u);
  const Measurement many = ShopWithManyPartitions().measurement;
  const auto hottest = HottestOf(PartitionFiguresOf(many)[0].partitions, kMostPartitionRows);
  ASSERT_EQ(hottest.size(), kMostPartitionRows);
  EXPECT_EQ(hottest.front().partition->number, 137);
  EXPECT_EQ(hottest.back().partition->number, 200);
}

TEST(PartitionFigures, ColumnsHoldAllSlicesAndSplits) {
  const Measurement measurement = ShopWithPartitions().measurement;
  const auto figures = PartitionFiguresOf(measurement);
  EXPECT_EQ(figures[0].columns.begin_epoch_ms, 1'763'712'000'000);
  EXPECT_EQ(figures[0].columns.count, 30u);
  EXPECT_EQ(figures[0].columns.column_ms, 60'000);
  const Measurement hostile = HostilePartitions().measurement;
  const TimeColumns wide = PartitionFiguresOf(hostile)[2].columns;
  EXPECT_LE(wide.count, 96u);
  EXPECT_EQ(wide.ColumnOf(250'000'000'000'000), wide.count - 1);
  Measurement still = measurement;
  still.partitions[0].slices.clear();
  EXPECT_EQ(PartitionFiguresOf(still)[0].columns.count, 0u);
}

TEST(PartitionFigures, WordsFollowTheModeAndTheCause) {
  EXPECT_EQ(ThrottledWord({.mode = "watch"}), "would have been throttled");
  EXPECT_EQ(ThrottledWord({.mode = "enforce"}), "throttled");
  EXPECT_EQ(CauseText({.cause = "beginning"}), "beginning");
  EXPECT_EQ(CauseText({.parent = 3, .cause = "heat"}), "heat, from 3");
}

}  // namespace
}  // namespace hashrange
