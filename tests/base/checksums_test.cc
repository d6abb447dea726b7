#include "base/checksums.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/text/text_encodings.h"

namespace hashrange {
namespace {

TEST(Crc32, AgreesWithPublishedValues) {
  EXPECT_EQ(Crc32(""), 0u);
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);  // the check value of CRC-32/ISO-HDLC
  EXPECT_EQ(Crc32("{}"), 2745614147u);         // the header of an empty answer
}

TEST(Crc32c, KnownTexts) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
}

std::string Md5Text(std::string_view bytes) {
  const std::array<std::uint8_t, 16> digest = Md5(bytes);
  return HexText({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// RFC 1321, appendix A.5.
TEST(Md5, AgreesWithTheStandardsVectors) {
  EXPECT_EQ(Md5Text(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(Md5Text("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(Md5Text("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Md5Text("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(Md5Text("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(Md5Text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
            "d174ab98d277d9f5a5611c2c9f419d9f");
  EXPECT_EQ(Md5Text("1234567890123456789012345678901234567890123456789012345678901234567890"
                    "1234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

// The lengths are around the ends of blocks, where the padding takes another block.
TEST(Md5, PadsAtEveryEndOfABlock) {
  const struct {
    std::size_t length;
    std::string_view digest;
  } kVectors[] = {
      {54, "61ea0974c662328da964d977a8253873"},   {55, "04364420e25c512fd958a70738aa8f72"},
      {56, "668a72d5ba17f08e62dabcafad6db14b"},   {57, "693037871c4a9d3d8685018905cb530a"},
      {63, "7dc2ca208106a2f703567bdff99d8981"},   {64, "c1bb4f81d892b2d57947682aeb252456"},
      {65, "1bc932052302d074bdec39795fe00cf6"},   {119, "ab347a5f68c8a443cfcddc633f12c24f"},
      {120, "fb98667f98096de92620b64f46e1c5b5"},  {128, "d69cb61a6ee87200676eb0d4b90edbcb"},
      {1000, "398533d48111e9f664b1f64cb10c4b63"},
  };
  for (const auto& [length, digest] : kVectors) {
    EXPECT_EQ(Md5Text(std::string(length, 'x')), digest) << length;
  }
}

TEST(Md5, HighBitsAreThoseOfThePrefixedBytes) {
  EXPECT_EQ(Md5High64("", "abc"), 0x900150983cd24fb0u);
  EXPECT_EQ(Md5High64("ab", "c"), 0x900150983cd24fb0u);
  EXPECT_EQ(Md5High64("abc", ""), 0x900150983cd24fb0u);
  EXPECT_EQ(Md5High64("Outliers", "USER#1"), 0xe1f1e9193ad9e5d5u);
  EXPECT_EQ(Md5High64("Outliers", std::string(100, 'x')), 0x6f0d4a13202aadcau);
}

}  // namespace
}  // namespace hashrange
