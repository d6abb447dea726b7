#include "measure/cost/autoscaling.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(Autoscaling, CapacityHasSeventyPercentUse) {
  EXPECT_EQ(Autoscaling::CapacityFor(0), 1);
  EXPECT_EQ(Autoscaling::CapacityFor(0.7), 1);
  EXPECT_EQ(Autoscaling::CapacityFor(0.71), 2);
  EXPECT_EQ(Autoscaling::CapacityFor(70), 100);
  EXPECT_EQ(Autoscaling::CapacityFor(700), 1000);
}

TEST(Autoscaling, AConstantLoadNeedsConstantCapacity) {
  Autoscaling scaling;
  scaling.Add(70, 600);
  EXPECT_EQ(scaling.capacity(), 100);
  EXPECT_EQ(scaling.hours(), 10);
  EXPECT_EQ(scaling.capacity_hours(), 1000);
  EXPECT_EQ(scaling.units_above_capacity(), 0);
}

// 10 minutes at 100, two minutes until more is there (40 units a second are too many for 120 s),
// then 8 minutes at 200: (10 × 100 + 2 × 100 + 8 × 200) / 60 unit-hours.
TEST(Autoscaling, MoreComesAfterTwoMinutes) {
  Autoscaling scaling;
  scaling.Add(70, 10);
  scaling.Add(140, 10);
  EXPECT_EQ(scaling.capacity(), 200);
  EXPECT_DOUBLE_EQ(scaling.capacity_hours(), 2800.0 / 60);
  EXPECT_EQ(scaling.units_above_capacity(), 40 * 120);
}

TEST(Autoscaling, OneBusyMinuteChangesNothing) {
  Autoscaling scaling;
  scaling.Add(70, 10);
  scaling.Add(140, 1);
  scaling.Add(70, 10);
  EXPECT_EQ(scaling.capacity(), 100);
  EXPECT_EQ(scaling.units_above_capacity(), 40 * 60);
}

TEST(Autoscaling, LessComesAfterFifteenMinutes) {
  Autoscaling scaling;
  scaling.Add(140, 10);
  scaling.Add(70, 14);
  EXPECT_EQ(scaling.capacity(), 200);
  scaling.Add(70, 1);
  EXPECT_EQ(scaling.capacity(), 100);
  EXPECT_DOUBLE_EQ(scaling.capacity_hours(), 25 * 200 / 60.0);
}

// From 50 % use on, capacity stays.
TEST(Autoscaling, HalfUseKeepsItsCapacity) {
  Autoscaling scaling;
  scaling.Add(140, 10);
  scaling.Add(100, 60);
  EXPECT_EQ(scaling.capacity(), 200);
}

TEST(Autoscaling, CapacityFallsToTheMostThatWasUsedWhileItWasLow) {
  Autoscaling scaling;
  scaling.Add(140, 10);
  scaling.Add(35, 10);
  scaling.Add(70, 3);
  scaling.Add(7, 2);
  EXPECT_EQ(scaling.capacity(), 100);
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
