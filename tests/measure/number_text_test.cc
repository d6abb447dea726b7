#include "measure/number_text.h"

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
  const Case cases[] = {{0, "0"},
                        {0.5, "0.5"},
                        {0.125, "0.125"},
                        {1.0 / 3, "0.333"},
                        {12.5, "12.5"},
                        {99.96, "100"},
                        {0.0625, "0.0625"},
                        {1234.4, "1,234"},
                        {1e6, "1,000,000"},
                        {-4100, "-4,100"},
                        {1.25e-7, "0.000000125"},
                        {1234567.8, "1,234,568"},
                        {0.001234, "0.00123"}};
  for (const Case& each : cases) EXPECT_EQ(NumberText(each.value), each.text);
  EXPECT_EQ(NumberText(std::numeric_limits<double>::infinity()), "no bound");
}

TEST(NumberText, AHalfIsSeenBelowAThousand) {
  EXPECT_EQ(NumberText(108.5), "108.5");
  EXPECT_EQ(NumberText(-108.5), "-108.5");
  EXPECT_EQ(NumberText(108.4), "108");
  EXPECT_EQ(NumberText(1000.5), "1,000");
}

TEST(NumberText, CountsHaveGroups) {
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(NumberText, CountsHaveTheirNoun) {
  EXPECT_EQ(CountedText(1, "call"), "1 call");
  EXPECT_EQ(CountedText(0, "call"), "0 calls");
  EXPECT_EQ(CountedText(0.5, "read unit"), "0.5 read units");
  EXPECT_EQ(CountedText(1200, "item"), "1,200 items");
  EXPECT_EQ(CountedText(1, "item was", "items were"), "1 item was");
  EXPECT_EQ(CountedText(1.5, "item was", "items were"), "1.5 items were");
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

TEST(NumberText, AmountsHaveTheirCurrencyInSentences) {
  EXPECT_EQ(UsdText(0), "US$ 0");
  EXPECT_EQ(UsdText(0.5), "US$ 0.50");
  EXPECT_EQ(UsdText(1234.5), "US$ 1,234.50");
}

TEST(NumberText, SizesAreMultiplesOf1024) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(812), "812 B");
  EXPECT_EQ(BytesText(1536), "1.5 KB");
  EXPECT_EQ(BytesText(10.0 * 1024 * 1024 * 1024), "10 GB");
}

TEST(NumberText, PercentagesHaveThreeDigits) {
  EXPECT_EQ(PercentText(0.125), "12.5 %");
  EXPECT_EQ(PercentText(0.0002), "0.02 %");
  EXPECT_EQ(PercentText(1), "100 %");
}

TEST(NumberText, SharesAreNeitherNothingNorAllUnlessTheyAre) {
  EXPECT_EQ(ShareText(0), "0 %");
  EXPECT_EQ(ShareText(0.0001), "<1 %");
  EXPECT_EQ(ShareText(0.374), "37 %");
  EXPECT_EQ(ShareText(0.9999), ">99 %");
  EXPECT_EQ(ShareText(1), "100 %");
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
