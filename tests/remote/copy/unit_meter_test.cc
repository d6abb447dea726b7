#include "remote/copy/unit_meter.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(UnitMeter, UnitsAndCostsAreCounted) {
  const CopyStop stop(nullptr);
  Spending spending(1, 0.25);
  UnitMeter meter(0, spending, stop);
  EXPECT_TRUE(meter.Begin(10).ok());
  meter.End(10, 20, 0.025);
  EXPECT_EQ(meter.units(), 20);
  EXPECT_EQ(spending.usd(), 0.75);
  EXPECT_TRUE(meter.Begin(10).ok());
  meter.End(10, 20, 0.025);
  EXPECT_EQ(meter.Begin(10).error().message,
            "the copy has cost US$ 1.25, and --spend allows US$ 1.00");
}

TEST(UnitMeter, AStoppedCopyBeginsNoCall) {
  const std::atomic<bool> asked{true};
  const CopyStop stop(&asked);
  Spending spending(1, 0);
  UnitMeter meter(1, spending, stop);
  EXPECT_EQ(meter.Begin(1'000'000).error().message, "the copy was stopped");
  EXPECT_EQ(meter.Begin(1'000'000).error().message, "the copy was stopped");
}

using std::chrono::milliseconds;
constexpr UnitPace::Time kNow{std::chrono::seconds(1'000)};

TEST(UnitPace, CallsAreSpreadOverTime) {
  UnitPace pace(100);
  EXPECT_EQ(pace.Reserve(50, kNow), milliseconds(0));
  EXPECT_EQ(pace.Reserve(25, kNow), milliseconds(500));
  EXPECT_EQ(pace.Reserve(25, kNow + milliseconds(100)), milliseconds(650));
  EXPECT_EQ(pace.Reserve(25, kNow + milliseconds(5'000)), milliseconds(0));
}

TEST(UnitPace, WhatWasNotReservedDelaysTheNextCall) {
  UnitPace pace(100);
  pace.Reserve(10, kNow);
  pace.Add(90);
  EXPECT_EQ(pace.Reserve(1, kNow), milliseconds(1'000));
  pace.Add(-1);
  EXPECT_EQ(pace.Reserve(1, kNow), milliseconds(1'000));
}

TEST(UnitPace, WithoutALimitNobodyWaits) {
  UnitPace pace(0);
  EXPECT_FALSE(pace.has_limit());
  EXPECT_EQ(pace.Reserve(1e9, kNow), milliseconds(0));
  pace.Add(1e9);
  EXPECT_EQ(pace.Reserve(1e9, kNow), milliseconds(0));
}

}  // namespace
}  // namespace hashrange
