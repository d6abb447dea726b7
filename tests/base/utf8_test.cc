#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(Utf8, AgreesWithTheDefinitionOnEveryTextOfOneOrTwoBytes) {
  const auto is_ascii = [](int c) { return c < 0x80; };
  for (int a = 0; a < 256; ++a) {
    EXPECT_EQ(IsValidUtf8(std::string(1, static_cast<char>(a))), is_ascii(a)) << a;
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      const bool is_pair = a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF;
      EXPECT_EQ(IsValidUtf8(text), (is_ascii(a) && is_ascii(b)) || is_pair) << a << " " << b;
    }
  }
}

TEST(Utf8, FirstCharacterHasOneToFourBytes) {
  struct Case {
    std::string text;
    std::size_t bytes;
  };
  const Case cases[] = {{"", 0},     {"a€", 1},   {"é", 2},        {"€a", 3},          {"😀😀", 4},
                        {"\x80", 0}, {"\xC3", 0}, {"\xE2\x82", 0}, {"\xF0\x9F\x98", 0}};
  for (const Case& each : cases) EXPECT_EQ(FirstCharacterBytes(each.text), each.bytes) << each.text;
}

TEST(Utf8, FindsAnErrorAtEveryOffset) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\x80';
    EXPECT_FALSE(IsValidUtf8(text)) << at;
    text.replace(at, 1, "€");
    EXPECT_TRUE(IsValidUtf8(text)) << at;
  }
}

TEST(Utf8, CountsUtf16Units) {
  EXPECT_EQ(Utf16Length(""), 0u);
  EXPECT_EQ(Utf16Length("abc"), 3u);
  EXPECT_EQ(Utf16Length("é€"), 2u);
  EXPECT_EQ(Utf16Length("a😀"), 3u);
}

}  // namespace
}  // namespace hashrange
