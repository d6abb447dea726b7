#include "base/text/text_encodings.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace hashrange {
namespace {

std::string Encode(std::string_view bytes) {
  std::string text(Base64Length(bytes.size()), '\0');
  EncodeBase64(bytes, text.data());
  return text;
}

Base64Error Decode(std::string_view text, std::string* bytes) {
  bytes->assign(text.size() / 4 * 3, '\0');
  std::size_t size = 0;
  const Base64Error error = DecodeBase64(text, bytes->data(), &size);
  bytes->resize(error == Base64Error::kNone ? size : 0);
  return error;
}

// RFC 4648, section 10.
TEST(Base64, AgreesWithTheStandardsVectors) {
  const struct {
    std::string_view bytes, text;
  } kVectors[] = {{"", ""},
                  {"f", "Zg=="},
                  {"fo", "Zm8="},
                  {"foo", "Zm9v"},
                  {"foob", "Zm9vYg=="},
                  {"fooba", "Zm9vYmE="},
                  {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(Encode(bytes), text);
    std::string decoded;
    EXPECT_EQ(Decode(text, &decoded), Base64Error::kNone) << text;
    EXPECT_EQ(decoded, bytes);
  }
}

TEST(Base64, RoundTripsEveryLengthAndByte) {
  Random random(1);
  for (std::size_t length = 0; length < 300; ++length) {
    std::string bytes(length, '\0');
    for (char& c : bytes) c = static_cast<char>(random.Next());
    std::string decoded;
    ASSERT_EQ(Decode(Encode(bytes), &decoded), Base64Error::kNone);
    ASSERT_EQ(decoded, bytes);
  }
}

TEST(Base64, RefusesWhatIsNotCanonical) {
  const struct {
    Base64Error error;
    std::vector<std::string_view> texts;
  } kCases[] = {
      {Base64Error::kLength, {"A", "AAA", "AAAAA", "!"}},
      {Base64Error::kNotCanonical, {"AB==", "AAB=", "AAAAAP=="}},
      {Base64Error::kCharacter,
       {"A===", "====", "=AAA", "AA=A", "AA==AAAA", "AA A", "AA\nA", "AAA-", "AAA_",
        "!B==", "AAA\xc3", std::string_view("AA\0A", 4)}},
  };
  for (const auto& [error, texts] : kCases) {
    for (const std::string_view text : texts) {
      std::string decoded;
      EXPECT_EQ(Decode(text, &decoded), error) << text;
    }
  }
}

TEST(Base64, DecodesInPlace) {
  std::string text = "SGFzaHJhbmdlIQ==";
  std::size_t size = 0;
  ASSERT_EQ(DecodeBase64(text, text.data(), &size), Base64Error::kNone);
  EXPECT_EQ(text.substr(0, size), "Hashrange!");
}

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
