#include "measure/report/plot_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace hashrange {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(PlotAxis, LinearAxesHaveRoundTicks) {
  EXPECT_THAT(LinearAxis(14, 5).ticks, ElementsAre(0, 5, 10, 15));
  EXPECT_THAT(LinearAxis(640, 5).ticks, ElementsAre(0, 200, 400, 600, 800));
  EXPECT_THAT(LinearAxis(5, 5).ticks, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(LinearAxis(0, 5).greatest, 1);
}

TEST(PlotAxis, LinearAxesHoldTheirGreatestValueAndFewTicks) {
  for (double greatest = 0.001; greatest < 1e9; greatest *= 1.37) {
    const PlotAxis axis = LinearAxis(greatest, 4);
    EXPECT_GE(axis.greatest, greatest * (1 - 1e-12)) << greatest;
    EXPECT_LE(axis.ticks.size(), 5U) << greatest;
    EXPECT_GE(axis.ShareOf(greatest), 0.4) << greatest;
  }
}

TEST(PlotAxis, InfiniteFiguresHaveAnAxis) {
  const double infinite = std::numeric_limits<double>::infinity();
  const PlotAxis linear = LinearAxis(infinite, 5);
  EXPECT_LE(linear.ticks.size(), 6U);
  EXPECT_EQ(linear.ShareOf(infinite), 1);
  EXPECT_EQ(LogAxis(1e299, infinite).greatest, LogAxis(1e299, 1e300).greatest);
  EXPECT_EQ(ClassBounds(infinite, 3).size(), 3U);
}

TEST(PlotAxis, LogAxesAreWholePowersOfTen) {
  const PlotAxis axis = LogAxis(3, 1000);
  EXPECT_THAT(axis.ticks, Pointwise(DoubleNear(1e-9), {1, 10, 100, 1000}));
  EXPECT_DOUBLE_EQ(axis.ShareOf(10), 1.0 / 3);
  EXPECT_EQ(axis.ShareOf(0), 0);
  EXPECT_EQ(axis.ShareOf(5000), 1);
  EXPECT_THAT(LogAxis(10, 10).ticks, Pointwise(DoubleNear(1e-9), {10, 100}));
}

TEST(PlotAxis, ClassBoundsEndAboveTheGreatestValue) {
  EXPECT_THAT(ClassBounds(40, 4), Pointwise(DoubleNear(1e-9), {5, 10, 20, 50}));
  EXPECT_THAT(ClassBounds(50, 3), Pointwise(DoubleNear(1e-9), {10, 20, 50}));
  EXPECT_THAT(ClassBounds(0.3, 3), Pointwise(DoubleNear(1e-9), {0.1, 0.2, 0.5}));
}

}  // namespace
}  // namespace hashrange
