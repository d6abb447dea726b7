#include "base/text/float_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace hashrange {
namespace {

TEST(FloatText, IsTheShortestDecimalThatNamesTheNumber) {
  EXPECT_EQ(FloatText(0.0f), "0.0");
  EXPECT_EQ(FloatText(-0.0f), "-0.0");
  EXPECT_EQ(FloatText(1.0f), "1.0");
  EXPECT_EQ(FloatText(-1.0f), "-1.0");
  EXPECT_EQ(FloatText(0.1f), "0.1");
  EXPECT_EQ(FloatText(-12.5f), "-12.5");
  EXPECT_EQ(FloatText(16777217.0f), "16777216.0");
  EXPECT_EQ(FloatText(1.0000001f), "1.0000001");
  EXPECT_EQ(FloatText(100.0f), "100.0");
  EXPECT_EQ(FloatText(1e15f), "1000000000000000.0");
  EXPECT_EQ(FloatText(1e16f), "1e16");
  EXPECT_EQ(FloatText(0.00001f), "0.00001");
  EXPECT_EQ(FloatText(0.0000012f), "1.2e-6");
  EXPECT_EQ(FloatText(std::numeric_limits<float>::max()), "3.4028235e38");
  EXPECT_EQ(FloatText(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(FloatText(0.1), "0.1");
  EXPECT_EQ(FloatText(-1.7976931348623157e308), "-1.7976931348623157e308");
}

}  // namespace
}  // namespace hashrange
