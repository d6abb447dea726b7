#include "lab/language/data/value_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/language/data/draws.h"
#include "lab/language/data/placeholder_form.h"
#include "lab/language/data/shop_file.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

TEST(ValueText, TimesAreIso8601WithMilliseconds) {
  for (const auto& [epoch_ms, text] : std::vector<std::pair<std::int64_t, std::string>>{
           {0, "1970-01-01T00:00:00.000Z"},
           {1'769'860'800'000, "2026-01-31T12:00:00.000Z"},
           {951'868'799'999, "2000-02-29T23:59:59.999Z"},
           {-1, "1969-12-31T23:59:59.999Z"},
           {4'102'444'800'007, "2100-01-01T00:00:00.007Z"}}) {
    std::string out = ">";
    AppendIsoTime(epoch_ms, out);
    EXPECT_EQ(out, ">" + text);
  }
}

TEST(ValueText, NumbersAreCanonical) {
  for (const auto& [number, decimals, text] : std::vector<std::tuple<double, int, std::string>>{
           {0, 0, "0"},
           {-0.0, 2, "0"},
           {-0.001, 2, "0"},
           {12.5, 2, "12.5"},
           {12.345, 2, "12.35"},
           {12, 2, "12"},
           {0.07, 2, "0.07"},
           {0.5, 3, "0.5"},
           {-3.14159, 4, "-3.1416"},
           {120, 0, "120"},
           {1.05, 1, "1.1"},
           {100.005, 3, "100.005"},
           {1e21, 0, "1000000000000000000000"},
           {1e21, 2, "1000000000000000000000"},
           {9007199254740993.0, 2, "9007199254740992"},
           {-1e300, 0, "-9999999999999999538762658202121142272"}}) {
    std::string out = ">";
    AppendDecimal(number, decimals, out);
    EXPECT_EQ(out, ">" + text) << number;
  }
}

TEST(ValueText, PaddingKeepsLongerNumbersWhole) {
  std::string out;
  for (const std::uint64_t number : {0, 42, 999, 1000}) {
    AppendPadded(number, 3, out);
    out += ' ';
  }
  EXPECT_EQ(out, "000 042 999 1000 ");
}

TEST(ValueText, UlidsBeginWithTheTime) {
  DrawSequence draws(1);
  std::string out;
  AppendUlid(1'469'918'176'385, draws, out);
  // The time and its text are the example of the ULID specification.
  EXPECT_EQ(out.substr(0, 10), "01ARYZ6S41");
  EXPECT_EQ(out.size(), 26U);
  EXPECT_EQ(out.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), std::string::npos);
}

TEST(ValueText, UuidsAreOfVersionFour) {
  DrawSequence draws(1);
  for (int i = 0; i < 100; ++i) {
    std::string out;
    AppendUuid(draws, out);
    ASSERT_EQ(out.size(), 36U);
    for (const std::size_t dash : {8, 13, 18, 23}) ASSERT_EQ(out[dash], '-');
    ASSERT_EQ(out[14], '4');
    ASSERT_NE(std::string("89ab").find(out[19]), std::string::npos);
    ASSERT_EQ(out.find_first_not_of("0123456789abcdef-"), std::string::npos);
  }
}

TEST(ValueText, VectorsHaveTheLengthOneAndAreShort) {
  for (const int dimensions : {1, 3, 256}) {
    DrawSequence draws(7);
    std::string elements;
    AppendVector(dimensions, draws, elements);
    int count = 0;
    double squares = 0;
    for (std::size_t at = elements.find(R"("N":")"); at != elements.npos;
         at = elements.find(R"("N":")", at + 1)) {
      const float number = std::strtof(elements.c_str() + at + 5, nullptr);
      squares += static_cast<double>(number) * static_cast<double>(number);
      ++count;
    }
    EXPECT_EQ(count, dimensions);
    EXPECT_NEAR(squares, 1, 1e-6);
    EXPECT_EQ(elements.find('e'), elements.npos) << elements;
  }
  DrawSequence draws(7);
  std::string elements;
  AppendVector(1, draws, elements);
  EXPECT_TRUE(elements == R"({"N":"1"})" || elements == R"({"N":"-1"})") << elements;
}

TEST(ValueText, WordsHaveTheExactNumberOfBytes) {
  DrawSequence draws(1);
  for (std::size_t bytes = 0; bytes < 500; ++bytes) {
    std::string out = "before";
    AppendWords(bytes, draws, out);
    ASSERT_EQ(out.size(), 6 + bytes);
    const std::string words = out.substr(6);
    ASSERT_EQ(words.find_first_not_of("abcdefghijklmnopqrstuvwxyz "), std::string::npos);
    if (bytes > 0) {
      ASSERT_NE(words.front(), ' ');
      ASSERT_NE(words.back(), ' ');
    }
    ASSERT_EQ(words.find("  "), std::string::npos);
  }
}

TEST(PlaceholderForm, WritesEachForm) {
  struct Row {
    Form form;
    int width;
    std::string value;
    std::string text;
  };
  for (const Row& row : std::vector<Row>{
           {Form::kAsIs, 0, "Abc", "Abc"},
           {Form::kPadded, 8, "42", "00000042"},
           {Form::kPadded, 2, "123", "123"},
           {Form::kPadded, 4, "-7", "-0007"},
           {Form::kPadded, 4, "7.25", "0007.25"},
           {Form::kPadded, 4, "x", "x"},
           {Form::kDescend, 4, "0", "9999"},
           {Form::kDescend, 4, "12", "9987"},
           {Form::kDescend, 4, "9999", "0000"},
           {Form::kDescend, 4, "10000", "0000"},
           {Form::kDescend, 4, "-1", "10000"},
           {Form::kDescend, 13, "1767225600000", "8232774399999"},
           {Form::kYear, 0, "2026-01-31T12:34:56.789Z", "2026"},
           {Form::kMonth, 0, "2026-01-31T12:34:56.789Z", "2026-01"},
           {Form::kDay, 0, "2026-01-31T12:34:56.789Z", "2026-01-31"},
           {Form::kHour, 0, "2026-01-31T12:34:56.789Z", "2026-01-31T12"},
           {Form::kMinute, 0, "2026-01-31T12:34:56.789Z", "2026-01-31T12:34"},
           {Form::kDay, 0, "1769860800", "2026-01-31"},
           {Form::kHour, 0, "1769860800000", "2026-01-31T12"},
           {Form::kLower, 0, "A-b-Ü", "a-b-Ü"},
           {Form::kUpper, 0, "a-B-ü", "A-B-ü"},
           {Form::kPrefix, 3, "abcdef", "abc"},
           {Form::kUlidTime, 0, "2016-07-30T22:36:16.385Z",
            "01ARYZ6S41"},  // an example of ULIDs' specification
           {Form::kUlidTime, 0, "1469918176385", "01ARYZ6S41"},
           {Form::kUlidTime, 0, "2016-07-30", "01ARWHKC00"},
           {Form::kUlidTime, 0, "no time", "no time"},
           {Form::kPrefix, 3, "ab", "ab"},
           {Form::kPrefix, 2, "éàü", "éà"},
       }) {
    std::string out = "12#";
    AppendFormed(lab_data_test::Part("", {}, row.form, row.width), row.value, out);
    EXPECT_EQ(out, "12#" + row.text) << row.value;
  }
}

TEST(PlaceholderForm, ShardsArePaddedAfterwards) {
  LabTemplatePart part = lab_data_test::Part("", {}, Form::kPadded, 2);
  part.shards = 8;
  std::string out;
  AppendFormed(part, "00000001", out);
  EXPECT_EQ(out, "0" + std::to_string(ShardOf("00000001", 8)));
}

TEST(PlaceholderForm, ShardsGetEqualShares) {
  std::vector<int> counts(8);
  for (int i = 0; i < 8000; ++i)
    ++counts.at(static_cast<std::size_t>(ShardOf(std::to_string(i), 8)));
  for (const int count : counts) EXPECT_NEAR(count, 1000, 120);
  EXPECT_EQ(ShardOf("anything", 1), 0);
}

TEST(ValueText, SizesOfNumbersCountDigits) {
  const std::pair<const char*, std::size_t> kSizes[] = {
      {"0", 1},     {"1", 2},       {"12", 2},    {"123", 3},       {"123456", 4},
      {"100", 2},   {"1010", 3},    {"0.15", 2},  {"0.0000001", 2}, {"1.5", 3},
      {"1.234", 4}, {"3.14159", 5}, {"100.5", 4}, {"-42", 3}};
  for (const auto& [number, bytes] : kSizes) {
    EXPECT_EQ(SizeOfNumberText(number), bytes) << number;
  }
}

}  // namespace
}  // namespace hashrange
