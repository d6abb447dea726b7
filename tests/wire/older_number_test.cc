#include "wire/older_number.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(OlderNumber, MagnitudeWraps) {
  Number number;
  EXPECT_EQ(ParseOlderNumber("1e125", &number), NumberError::kNone);
  EXPECT_EQ(ParseOlderNumber("1e126", &number), NumberError::kOverflow);
  EXPECT_EQ(ParseOlderNumber("1e2147483646", &number), NumberError::kOverflow);
  EXPECT_EQ(ParseOlderNumber("1e2147483647", &number), NumberError::kUnderflow);
  EXPECT_EQ(ParseOlderNumber("10e2147483646", &number), NumberError::kUnderflow);
  EXPECT_EQ(ParseOlderNumber("1e4294967296", &number), NumberError::kNone);
  EXPECT_EQ(ParseOlderNumber("1x", &number), NumberError::kNotANumber);
}

TEST(OlderNumber, ExponentAndScaleOfADecimalAre32Bits) {
  for (const char* text : {"1", "-0.5", "1e400", "1e2147483647", "1E+2147483647", "1e-2147483647",
                           "1.5e-2147483646"}) {
    EXPECT_TRUE(FitsDecimal(text)) << text;
  }
  for (const char* text : {"1e2147483648", "1e-2147483648", "1.5e-2147483647", "1e99999999999",
                           "1e99999999999999999999"}) {
    EXPECT_FALSE(FitsDecimal(text)) << text;
  }
}

}  // namespace
}  // namespace hashrange
