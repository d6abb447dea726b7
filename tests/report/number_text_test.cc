#include "report/number_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace hashrange {
namespace {

TEST(NumberText, HasThreeDigitsOrAllBeforeThePoint) {
  struct Case {
    double value;
    std::string text;
  };
  const Case cases[] = {{0, "0"},           {0.5, "0.5"},         {0.125, "0.125"},
                        {1.0 / 3, "0.333"}, {12.5, "12.5"},       {99.96, "100"},
                        {0.0625, "0.0625"}, {1234.4, "1,234"},    {1e6, "1,000,000"},
                        {-4100, "-4,100"},  {0.001234, "0.00123"}};
  for (const Case& each : cases) EXPECT_EQ(NumberText(each.value), each.text);
  EXPECT_EQ(NumberText(std::numeric_limits<double>::infinity()), "no bound");
}

TEST(NumberText, CountsHaveGroups) {
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(NumberText, TicksAreShort) {
  EXPECT_EQ(TickText(500), "500");
  EXPECT_EQ(TickText(2'500), "2.5k");
  EXPECT_EQ(TickText(3e6), "3M");
  EXPECT_EQ(TickText(1e10), "10G");
}

TEST(NumberText, AmountsHaveCentsAboveOneDollar) {
  EXPECT_EQ(AmountText(0), "0");
  EXPECT_EQ(AmountText(1204.5), "1,204.50");
  EXPECT_EQ(AmountText(0.625), "0.625");
  EXPECT_EQ(AmountText(0.75), "0.75");
  EXPECT_EQ(AmountText(0.0625), "0.0625");
}

TEST(NumberText, SizesAreMultiplesOf1024) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(812), "812 B");
  EXPECT_EQ(BytesText(1536), "1.5 KB");
  EXPECT_EQ(BytesText(10.0 * 1024 * 1024 * 1024), "10 GB");
}

TEST(NumberText, SharesAreNeitherNothingNorAllUnlessTheyAre) {
  EXPECT_EQ(ShareText(0), "0 %");
  EXPECT_EQ(ShareText(0.0001), "<1 %");
  EXPECT_EQ(ShareText(0.374), "37 %");
  EXPECT_EQ(ShareText(0.9999), ">99 %");
  EXPECT_EQ(ShareText(1), "100 %");
}

TEST(NumberText, TimesAreUtc) {
  EXPECT_EQ(UtcText(0), "1970-01-01 00:00:00");
  EXPECT_EQ(UtcText(1'709'210'096'999), "2024-02-29 12:34:56");
  EXPECT_EQ(UtcText(-1), "1969-12-31 23:59:59");
  constexpr std::int64_t kHour = 3'600'000;
  EXPECT_EQ(ClockTickText(1'709'210'096'000, 60'000), "12:34:56");
  EXPECT_EQ(ClockTickText(1'709'210'096'000, kHour), "12:34");
  EXPECT_EQ(ClockTickText(1'709'210'096'000, 72 * kHour), "02-29 12h");
  EXPECT_EQ(ClockTickText(1'709'210'096'000, 720 * kHour), "02-29");
}

TEST(NumberText, LengthsOfTimeHaveTwoUnits) {
  EXPECT_EQ(LengthOfTimeText(250), "250 ms");
  EXPECT_EQ(LengthOfTimeText(59'999), "59 s");
  EXPECT_EQ(LengthOfTimeText(250'000), "4 min 10 s");
  EXPECT_EQ(LengthOfTimeText(14'400'000), "4 h");
  EXPECT_EQ(LengthOfTimeText(183'600'000), "2 d 3 h");
}

TEST(NumberText, ChangesAreInPercentOrTimes) {
  EXPECT_EQ(ChangeText(1, 1), "same");
  EXPECT_EQ(ChangeText(1.001, 1), "same");
  EXPECT_EQ(ChangeText(1.12, 1), "+12 %");
  EXPECT_EQ(ChangeText(0.97, 1), "-3 %");
  EXPECT_EQ(ChangeText(4.2, 1), "x4.2");
  EXPECT_EQ(ChangeText(1, 0), "new");
  EXPECT_EQ(ChangeText(0, 1), "gone");
}

}  // namespace
}  // namespace hashrange
