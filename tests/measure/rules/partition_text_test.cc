#include "measure/rules/partition_text.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

PartitionMeasure Partition(const char* first_hash, const char* last_hash) {
  PartitionMeasure partition;
  partition.first_hash = first_hash;
  partition.last_hash = last_hash;
  return partition;
}

TEST(PartitionText, RangesAreSharesOfAllHashes) {
  EXPECT_EQ(PartitionRangeText(Partition("0000000000000000", "ffffffffffffffff")), "0 % to 100 %");
  EXPECT_EQ(PartitionRangeText(Partition("4000000000000000", "7fffffffffffffff")), "25 % to 50 %");
  EXPECT_EQ(PartitionRangeText(Partition("2000000000000000", "2FFFFFFFFFFFFFFF")),
            "12.5 % to 18.8 %");
  EXPECT_EQ(PartitionBeginText(Partition("4000000000000000", "7fffffffffffffff")), "25 %");
}

TEST(PartitionText, ACollectionThatIsCutIsNamed) {
  PartitionMeasure partition = Partition("4000000000000000", "7fffffffffffffff");
  partition.first_key = "PK=ORDERS, SK=ORDER#500";
  EXPECT_EQ(PartitionRangeText(partition), "25 % (PK=ORDERS, SK=ORDER#500) to 50 %");
  EXPECT_EQ(PartitionBeginText(partition), "25 % (PK=ORDERS, SK=ORDER#500)");
  partition.first_key = "";
  partition.last_key = "PK=ORDERS, SK=ORDER#900";
  EXPECT_EQ(PartitionRangeText(partition), "25 % to 50 % (PK=ORDERS, SK=ORDER#900)");
}

TEST(PartitionText, EachCauseHasAReasonAndAnAdvice) {
  for (const char* const uncut : {"item", "order", "local index", "sort key", "range", "limit"}) {
    const UncutCause* const cause = FindUncutCause(uncut);
    ASSERT_TRUE(cause) << uncut;
    EXPECT_EQ(UncutText({.uncut = uncut}), cause->why);
    EXPECT_TRUE(cause->advice.ends_with(".")) << uncut;
  }
  EXPECT_EQ(FindUncutCause(""), nullptr);
  EXPECT_EQ(UncutText({}), "");
  EXPECT_EQ(UncutText({.uncut = "a later cause"}), "a later cause");
}

TEST(PartitionText, OnlyUnusualUnitsOfAPartitionAreTold) {
  PartitionMap map{.partition_read_units = 3000, .partition_write_units = 1000};
  EXPECT_EQ(UnusualUnitsText(map), "");
  map.partition_write_units = 10;
  EXPECT_EQ(UnusualUnitsText(map), "a partition serves 10 write units here");
  map.partition_read_units = 500;
  EXPECT_EQ(UnusualUnitsText(map), "a partition serves 500 read and 10 write units here");
}

}  // namespace
}  // namespace hashrange
