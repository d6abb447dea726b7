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

}  // namespace
}  // namespace hashrange
