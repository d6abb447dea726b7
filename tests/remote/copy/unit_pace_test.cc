#include "remote/copy/unit_pace.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

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
