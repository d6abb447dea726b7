#include "measure/report/time_columns.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(TimeColumns, HoldAllBuckets) {
  const TimeMeasure time{60'000, {{.begin_epoch_ms = 0}, {.begin_epoch_ms = 240'000}}};
  const TimeColumns columns = TimeColumnsOf(time, 3);
  EXPECT_EQ(columns.column_ms, 120'000);
  EXPECT_EQ(columns.count, 3U);
  EXPECT_EQ(columns.ColumnOf(240'000), 2U);
  EXPECT_EQ(columns.ColumnOf(360'000), 2U);
}

TEST(TimeColumns, BucketsThatDoNotAscendHaveAColumn) {
  const TimeMeasure time{60'000, {{.begin_epoch_ms = 60'000}, {.begin_epoch_ms = 0}}};
  const TimeColumns columns = TimeColumnsOf(time, 96);
  EXPECT_EQ(columns.count, 1U);
  EXPECT_EQ(columns.column_ms, 60'000);
  EXPECT_EQ(columns.ColumnOf(0), 0U);
}

TEST(TimeColumns, ThousandsOfYearsHaveFewTicks) {
  const TimeMeasure time{60'000, {{.begin_epoch_ms = 0}, {.begin_epoch_ms = 253'402'300'740'000}}};
  const std::size_t ticks = TimeColumnsOf(time, 96).Ticks().size();
  EXPECT_GE(ticks, 3U);
  EXPECT_LE(ticks, 6U);
}

TEST(TimeColumns, NoTimeHasNoTicks) { EXPECT_TRUE(TimeColumnsOf({}, 96).Ticks().empty()); }

}  // namespace
}  // namespace hashrange
