#include "measure/cost/throughput_load.h"

#include <gtest/gtest.h>

#include <vector>

#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

TEST(ThroughputLoad, EachTableAndGlobalIndexHasALoad) {
  Measurement measurement = SignUpMeasurement();
  measurement.resources.clear();
  const auto loads = MeasuredLoads(measurement);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].index, "");
  EXPECT_EQ(loads[1].index, "GSI1");
  EXPECT_EQ(loads[1].write_units, 0);
}

// Buckets of 20 s: three of them make a stretch of a minute.
TEST(ThroughputLoad, ShortBucketsAreAddedUpToMinutes) {
  Measurement measurement = SignUpMeasurement();
  const std::int64_t began = measurement.began_epoch_ms;
  measurement.time.bucket_ms = 20'000;
  measurement.resources[1].heat_over_time = {
      {began, {10, 20}, {60, 0}},
      {began + 40'000, {0, 0}, {60, 0}},
      {began + 60'000, {0, 0}, {0, 240}},
  };
  measurement.time.buckets = {{.begin_epoch_ms = began}};
  const auto loads = MeasuredLoads(measurement);
  ASSERT_EQ(loads[1].stretches.size(), 60u);
  EXPECT_EQ(loads[1].stretches[0].minutes, 1);
  EXPECT_DOUBLE_EQ(loads[1].stretches[0].read_units_per_second, 0.5);
  EXPECT_DOUBLE_EQ(loads[1].stretches[0].write_units_per_second, 2);
  EXPECT_DOUBLE_EQ(loads[1].stretches[1].write_units_per_second, 4);
  EXPECT_EQ(loads[1].stretches[2].write_units_per_second, 0);
}

// Half of all writes are the table's, half are GSI1's.
TEST(ThroughputLoad, WithoutItsOwnTimesAResourceHasItsShare) {
  Measurement measurement = SignUpMeasurement();
  const std::int64_t began = measurement.began_epoch_ms;
  measurement.ended_epoch_ms = began + 100'000;
  measurement.time = {60'000, {{.begin_epoch_ms = began}, {.begin_epoch_ms = began + 60'000}}};
  measurement.time.buckets[0].write_units = 1200;
  const auto loads = MeasuredLoads(measurement);
  ASSERT_EQ(loads[0].stretches.size(), 2u);
  EXPECT_DOUBLE_EQ(loads[0].stretches[0].write_units_per_second, 10);
  EXPECT_DOUBLE_EQ(loads[1].stretches[0].write_units_per_second, 10);
  EXPECT_EQ(loads[1].stretches[1].write_units_per_second, 0);
}

TEST(ThroughputLoad, TheLastStretchEndsWithTheMeasurement) {
  Measurement measurement = SignUpMeasurement();
  measurement.ended_epoch_ms = measurement.began_epoch_ms + 90'000;
  const auto loads = MeasuredLoads(measurement);
  ASSERT_EQ(loads[0].stretches.size(), 2u);
  EXPECT_EQ(loads[0].stretches[1].minutes, 0.5);
}

// A bucket of 1970 in a measurement of 2023: half a million hours in at most 3,000 stretches.
TEST(ThroughputLoad, TimesThatContradictOneAnotherAreBounded) {
  Measurement measurement = SignUpMeasurement();
  measurement.time = {60'000, {{.begin_epoch_ms = 0}}};
  measurement.time.buckets[0].write_units = 1200;
  const auto loads = MeasuredLoads(measurement);
  EXPECT_LE(loads[0].stretches.size(), 3000u);
  double units = 0;
  for (const LoadStretch& stretch : loads[0].stretches) {
    units += stretch.write_units_per_second * stretch.minutes * 60;
  }
  EXPECT_NEAR(units, 600, 1e-6);
}

TEST(ThroughputLoad, SumsAreThoseOfTheLoads) {
  const Measurement measurement = SignUpMeasurement();
  const auto sums = MeasuredSums(measurement);
  const auto loads = MeasuredLoads(measurement);
  ASSERT_EQ(sums.size(), 2u);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_TRUE(sums[1].stretches.empty());
  EXPECT_EQ(sums[1].read_units, 200);
  EXPECT_EQ(sums[1].write_units, 600);
  EXPECT_EQ(loads[1].write_units, 600);
}

TEST(ThroughputLoad, DeclaredRatesMultiplyTheUnitsACall) {
  const CallRate rates[] = {{"sign up", 10}, {"bbb", 4}};
  const Measurement measurement = SignUpMeasurement();
  const auto loads = DeclaredLoads(measurement, RatesOfPatterns(measurement, rates));
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_DOUBLE_EQ(loads[0].stretches[0].write_units_per_second, 10);
  EXPECT_DOUBLE_EQ(loads[1].stretches[0].write_units_per_second, 10);
  EXPECT_DOUBLE_EQ(loads[1].stretches[0].read_units_per_second, 2);
  EXPECT_DOUBLE_EQ(loads[1].read_units, 7200);
}

TEST(ThroughputLoad, ATableThatIsGoneHasALoad) {
  Measurement measurement = SignUpMeasurement();
  measurement.tables.clear();
  const auto loads = MeasuredLoads(measurement);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].table, "shop");
  EXPECT_EQ(loads[0].write_units, 600);
}

TEST(Autoscaling, CapacityHasSeventyPercentUse) {
  EXPECT_EQ(Autoscaling::CapacityFor(0), 1);
  EXPECT_EQ(Autoscaling::CapacityFor(0.7), 1);
  EXPECT_EQ(Autoscaling::CapacityFor(0.71), 2);
  EXPECT_EQ(Autoscaling::CapacityFor(70), 100);
  EXPECT_EQ(Autoscaling::CapacityFor(700), 1000);
}

TEST(Autoscaling, CapacityFollowsTheLoad) {
  struct Stretch {
    double units_per_second, minutes;
  };
  const struct {
    const char* name;
    std::vector<Stretch> load;
    double capacity;
    double capacity_minutes;  // the sum of capacity × time
    double units_above;
  } rows[] = {
      {"a constant load needs constant capacity", {{70, 600}}, 100, 60'000, 0},
      // 10 minutes at 100, two minutes until more is there (40 units a second are too many for 120
      // s), then 8 minutes at 200.
      {"more comes after two minutes", {{70, 10}, {140, 10}}, 200, 2800, 40 * 120},
      {"one busy minute changes nothing", {{70, 10}, {140, 1}, {70, 10}}, 100, 2100, 40 * 60},
      {"14 minutes are not long enough for less", {{140, 10}, {70, 14}}, 200, 24 * 200, 0},
      {"less comes after 15 minutes", {{140, 10}, {70, 14}, {70, 1}}, 100, 25 * 200, 0},
      {"half use keeps its capacity", {{140, 10}, {100, 60}}, 200, 70 * 200, 0},
      {"capacity falls to the most that was used while it was low",
       {{140, 10}, {35, 10}, {70, 3}, {7, 2}},
       100,
       25 * 200,
       0},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    Autoscaling scaling;
    double minutes = 0;
    for (const Stretch& stretch : row.load) {
      scaling.Add(stretch.units_per_second, stretch.minutes);
      minutes += stretch.minutes;
    }
    EXPECT_EQ(scaling.capacity(), row.capacity);
    EXPECT_EQ(scaling.hours(), minutes / 60);
    EXPECT_DOUBLE_EQ(scaling.capacity_hours(), row.capacity_minutes / 60);
    EXPECT_EQ(scaling.units_above_capacity(), row.units_above);
  }
}

TEST(Autoscaling, AYearIsAddedAtOnceAsItIsMinuteByMinute) {
  Autoscaling whole, parts;
  whole.Add(7, 5);
  parts.Add(7, 5);
  whole.Add(70, 1000);
  for (int minute = 0; minute < 1000; ++minute) parts.Add(70, 1);
  EXPECT_DOUBLE_EQ(whole.capacity_hours(), parts.capacity_hours());
  EXPECT_EQ(whole.capacity(), parts.capacity());
}

}  // namespace
}  // namespace hashrange
