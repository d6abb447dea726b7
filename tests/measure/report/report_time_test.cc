#include "measure/report/report_time.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(ReportTime, TimesAreUtc) {
  EXPECT_EQ(UtcText(0), "1970-01-01 00:00:00");
  EXPECT_EQ(UtcText(1'709'210'096'999), "2024-02-29 12:34:56");
  EXPECT_EQ(UtcText(-1), "1969-12-31 23:59:59");
  constexpr std::int64_t kHour = 3'600'000;
  EXPECT_EQ(ClockTickText(1'709'210'096'000, 60'000), "12:34:56");
  EXPECT_EQ(ClockTickText(1'709'210'096'000, kHour), "12:34");
  EXPECT_EQ(ClockTickText(1'709'210'096'000, 72 * kHour), "02-29 12h");
  EXPECT_EQ(ClockTickText(1'709'210'096'000, 720 * kHour), "02-29");
}

TEST(ReportTime, LengthsOfTimeHaveTwoUnits) {
  EXPECT_EQ(LengthOfTimeText(250), "250 ms");
  EXPECT_EQ(LengthOfTimeText(59'999), "59 s");
  EXPECT_EQ(LengthOfTimeText(250'000), "4 min 10 s");
  EXPECT_EQ(LengthOfTimeText(14'400'000), "4 h");
  EXPECT_EQ(LengthOfTimeText(183'600'000), "2 d 3 h");
}

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
