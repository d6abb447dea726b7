// The stand-ins for what some C++ libraries lack do what the standard's functions do here.
#include "base/library_gaps.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

constexpr std::string_view kTexts[] = {"0",        "-0",       "1",       "-1.5",
                                       "1e5",      "1E-5",     "1e+5",    "0.1",
                                       ".5",       "5.",       "-.5e1",   "1.7e308",
                                       "1.8e308",  "-1.8e308", "5e-324",  "1e-400",
                                       "0e-400",   "-1e-400",  "0.0e999", "3.5e38",
                                       "1e-46",    "16777217", "123abc",  "1.2.3",
                                       "1e",       "1e+",      "1-2",     "0x10",
                                       "",         "-",        "+1",      " 1",
                                       "e5",       "--1",      ".",       "-.",
                                       "abc",      "1 ",       "inf",     "-infinity",
                                       "nan",      "in",       "1_000",   "9007199254740993",
                                       "0.1e-1e2", "00012",    "1e00005", "-e1"};

template <typename Float>
void ExpectSame(std::string_view text) {
  Float expected = 42, found = 42;
  const char* const end = text.data() + text.size();
  const std::from_chars_result standard = std::from_chars(text.data(), end, expected);
  const std::from_chars_result own = FromCharsByC(text.data(), end, found);
  EXPECT_EQ(own.ec, standard.ec) << text;
  EXPECT_EQ(own.ptr - text.data(), standard.ptr - text.data()) << text;
  EXPECT_EQ(std::memcmp(&found, &expected, sizeof(Float)), 0) << text;
}

TEST(LibraryGaps, TheCLibraryReadsDecimalsAsFromCharsDoes) {
  for (const std::string_view text : kTexts) {
    ExpectSame<double>(text);
    ExpectSame<float>(text);
  }
}

TEST(LibraryGaps, ADecimalMayBeFollowedByOtherText) {
  const std::string_view text = "12.5e3,7";
  double value = 0;
  const auto [end, error] = FromChars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(error, std::errc());
  EXPECT_EQ(end, text.data() + 6);
  EXPECT_EQ(value, 12500);
}

TEST(LibraryGaps, RangesAreComparedElementByElement) {
  const struct {
    std::vector<std::uint8_t> a, b;
    std::strong_ordering order;
  } kCases[] = {
      {{}, {}, std::strong_ordering::equal},
      {{}, {1}, std::strong_ordering::less},
      {{1, 2}, {1}, std::strong_ordering::greater},
      {{1, 255}, {2}, std::strong_ordering::less},
      {{200}, {100, 3}, std::strong_ordering::greater},
      {{7, 7}, {7, 7}, std::strong_ordering::equal},
  };
  for (const auto& [a, b, order] : kCases) {
    EXPECT_EQ(CompareRanges(a.begin(), a.end(), b.begin(), b.end()), order);
  }
}

}  // namespace
}  // namespace hashrange
