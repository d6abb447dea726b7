#include "base/crc32.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(Crc32, AgreesWithPublishedValues) {
  EXPECT_EQ(Crc32(""), 0u);
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);  // the check value of CRC-32/ISO-HDLC
  EXPECT_EQ(Crc32("{}"), 2745614147u);         // the header of an empty answer
}

}  // namespace
}  // namespace hashrange
