#include "measure/report/readable_text.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text/text_encodings.h"

namespace hashrange {
namespace {

TEST(ReadableText, ShowsByNumberWhatControlsOrIsInvisible) {
  EXPECT_EQ(ReadableText("caf\u00E9 \u05D0 \U0001F600"), "caf\u00E9 \u05D0 \U0001F600");
  EXPECT_EQ(ReadableText(std::string("\x1B[31m\n\t\0", 8)), "\\u{1B}[31m\\u{A}\\u{9}\\u{0}");
  EXPECT_EQ(ReadableText("a\u202Eb\u200Fc\u2066d\uFEFFe\u0085"),
            "a\\u{202E}b\\u{200F}c\\u{2066}d\\u{FEFF}e\\u{85}");
}

TEST(ReadableText, EachInvalidByteIsAReplacementCharacter) {
  const std::string replaced = "\uFFFD";
  EXPECT_EQ(ReadableText("a\xFF"
                         "b"),
            "a" + replaced + "b");
  EXPECT_EQ(ReadableText("\xC0\xAF"), replaced + replaced);                 // overlong
  EXPECT_EQ(ReadableText("\xED\xA0\x80"), replaced + replaced + replaced);  // a surrogate
  EXPECT_EQ(ReadableText("\xE2\x82"), replaced + replaced);                 // cut off
}

TEST(ReadableText, IsValidForEveryTwoBytes) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string bytes = {static_cast<char>(a), static_cast<char>(b)};
      const std::string text = ReadableText(bytes);
      ASSERT_TRUE(IsValidUtf8(text)) << a << " " << b;
      for (const char c : text) ASSERT_GE(static_cast<unsigned char>(c), 0x20) << a << " " << b;
    }
  }
}

TEST(ReadableText, JsonKeepsItsMeaning) {
  EXPECT_EQ(ReadableJson("{\"a\":\"\u009B\u202E\x7F\U000E0041\u05D0\\n\"}"),
            "{\"a\":\"\\u009B\\u202E\\u007F\\uDB40\\uDC41\u05D0\\n\"}");
}

TEST(ReadableText, ClippingKeepsBothEnds) {
  EXPECT_EQ(ClippedText("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(ClippedText("abcdefghijk", 10), "abcdef\u2026ijk");
  EXPECT_EQ(ClippedText("\u20AC\u20AC\u20AC\u20AC\u20AC", 4), "\u20AC\u20AC\u2026\u20AC");
}

TEST(ReadableText, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(TerminalColumns("abc"), 3U);
  EXPECT_EQ(TerminalColumns("\u6F22\u5B57"), 4U);
  EXPECT_EQ(TerminalColumns("e\u0301"), 1U);
}

TEST(ReadableText, HtmlIsEscaped) {
  EXPECT_EQ(HtmlText("<a href=\"x\">'&'</a>\n"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\\u{A}");
}

}  // namespace
}  // namespace hashrange
