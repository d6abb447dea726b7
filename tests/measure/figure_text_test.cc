#include "measure/figure_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace hashrange {
namespace {

TEST(FigureText, HasThreeDigitsThatCount) {
  EXPECT_EQ(FigureText(0), "0");
  EXPECT_EQ(FigureText(0.0625), "0.0625");
  EXPECT_EQ(FigureText(0.33333), "0.333");
  EXPECT_EQ(FigureText(0.5), "0.5");
  EXPECT_EQ(FigureText(1), "1");
  EXPECT_EQ(FigureText(1.255), "1.25");  // the nearest double is a little less than 1.255
  EXPECT_EQ(FigureText(9.999), "10");
  EXPECT_EQ(FigureText(12.34), "12.3");
  EXPECT_EQ(FigureText(0.000000125), "0.000000125");
}

TEST(FigureText, GroupsThousands) {
  EXPECT_EQ(FigureText(999.4), "999");
  EXPECT_EQ(FigureText(4100), "4,100");
  EXPECT_EQ(FigureText(123456), "123,456");
  EXPECT_EQ(FigureText(1234567.8), "1,234,568");
}

TEST(FigureText, InfinityHasNoBound) {
  EXPECT_EQ(FigureText(std::numeric_limits<double>::infinity()), "no bound");
}

TEST(FigureText, AmountsHaveCents) {
  EXPECT_EQ(UsdText(0), "US$ 0");
  EXPECT_EQ(UsdText(0.0625), "US$ 0.0625");
  EXPECT_EQ(UsdText(12.5), "US$ 12.50");
  EXPECT_EQ(UsdText(1234.5), "US$ 1,234.50");
}

TEST(FigureText, SharesArePercentages) {
  EXPECT_EQ(PercentText(0.125), "12.5 %");
  EXPECT_EQ(PercentText(1), "100 %");
}

}  // namespace
}  // namespace hashrange
