#include "measure/cost/price_list.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "wire/owned_json.h"

namespace hashrange {
namespace {

std::string JsonOf(const PriceList& prices) {
  OutputBuffer out;
  JsonWriter writer(out);
  WritePriceList(prices, writer);
  return std::string(out.view());
}

Result<PriceList> ReadList(const std::string& text) {
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(text, JsonDialect::kStrict));
  return ReadPriceList(json.value());
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(PriceList, EveryChargeHasABuiltInPrice) {
  const PriceList& prices = BuiltInPrices();
  EXPECT_DOUBLE_EQ(1e6 * UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, false)), 0.125);
  EXPECT_DOUBLE_EQ(1e6 * UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, false)), 0.625);
  EXPECT_DOUBLE_EQ(1e6 * UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, true)), 0.155);
  EXPECT_DOUBLE_EQ(1e6 * UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, true)), 0.78);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kReadCapacity, false)), 0.00013);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kWriteCapacity, false)), 0.00065);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kReadCapacity, true)), 0.00016);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kWriteCapacity, true)), 0.00081);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kStorage, false)), 0.25);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kStorage, true)), 0.10);
  EXPECT_DOUBLE_EQ(1e6 * UnitUsd(prices, UsageTypeOf(Charge::kStreamRead, true)), 0.20);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kVectorSearch, false)), 0.002);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kVectorSearch, true)), 0.0025);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kVectorWrite, false)), 0.52);
  EXPECT_EQ(UnitUsd(prices, UsageTypeOf(Charge::kVectorWrite, true)), 0.65);
}

TEST(PriceList, TheFreeTierIsTheFirstBand) {
  const PriceList& prices = BuiltInPrices();
  EXPECT_EQ(AmountUsd(prices, "TimedStorage-ByteHrs", 0), 0);
  EXPECT_EQ(AmountUsd(prices, "TimedStorage-ByteHrs", 25), 0);
  EXPECT_EQ(AmountUsd(prices, "TimedStorage-ByteHrs", 27), 0.5);     // 2 GB of 0.25
  EXPECT_EQ(AmountUsd(prices, "IA-TimedStorage-ByteHrs", 27), 2.7);  // no free band
  // 18,600 hours are free: 20,000 cost 1,400 of 0.00065.
  EXPECT_DOUBLE_EQ(AmountUsd(prices, "WriteCapacityUnit-Hrs", 20'000), 0.91);
  EXPECT_DOUBLE_EQ(AmountUsd(prices, "ReadRequestUnits", 8e6), 1);
}

TEST(PriceList, AnOlderListHasTheBuiltInPricesOfVectors) {
  PriceList older = BuiltInPrices();
  std::erase_if(older.prices, [](const Price& price) {
    return price.usage_type.find("Vector") != std::string::npos;
  });
  ASSERT_EQ(older.prices.size() + 4, BuiltInPrices().prices.size());
  const auto read = ReadList(JsonOf(older));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->prices, BuiltInPrices().prices);
}

TEST(PriceList, IsReadAsItWasWritten) {
  const std::string json = JsonOf(BuiltInPrices());
  const auto read = ReadList(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(JsonOf(*read), json);
  EXPECT_EQ(read->prices, BuiltInPrices().prices);
  EXPECT_EQ(read->month_hours, 730);
}

TEST(PriceList, ErrorsSayWhatIsWrong) {
  struct Case {
    std::string_view from;
    std::string_view to;
    std::string_view sentence;
  };
  const Case cases[] = {
      {R"("region":"us-east-1",)", "", R"("region" is missing.)"},
      {R"("region":"us-east-1")", R"("region":1)", R"("region" is not a text.)"},
      {R"("currency":"USD")", R"("currency":"CNY")", R"("currency" is not "USD".)"},
      {R"("month_hours":730.0)", R"("month_hours":0)", R"("month_hours" is 0.)"},
      {R"("month_hours":730.0)", R"("month_hours":-1)",
       R"("month_hours" is not a number of 0 or more.)"},
      {R"("gigabyte_bytes":1073741824.0)", R"("gigabyte_bytes":0)", R"("gigabyte_bytes" is 0.)"},
      {R"("published":)", R"("date":"2026","published":)",
       R"("date" is not known here. The members are "region", "currency", "published", "source", )"
       R"("gigabyte_bytes", "month_hours", "prices".)"},
      {R"("begin":0.0,"usd":0.000000125)", R"("begin":0.0,"usd":"0.000000125")",
       R"("prices[0].usd" is not a number of 0 or more.)"},
      {R"("begin":0.0,"usd":0.000000125)", R"("begin":0.0)", R"("prices[0].usd" is missing.)"},
      {R"("usage_type":"ReadRequestUnits")", R"("usage_type":"Reads")",
       R"(The usage type "Reads" of "prices[0]" is not known.)"},
      {R"("unit":"ReadRequestUnits")", R"("unit":"million")",
       R"(The usage type "ReadRequestUnits" of "prices[0]" has the unit "million" instead of )"
       R"("ReadRequestUnits".)"},
      {R"("begin":18600.0)", R"("begin":18601)",
       R"(The bands of "ReadCapacityUnit-Hrs" are not ascending, from 0 and without a gap.)"},
      {R"("usage_type":"IA-ReadRequestUnits")", R"("usage_type":"ReadRequestUnits")",
       R"(The bands of "ReadRequestUnits" are not ascending, from 0 and without a gap.)"},
      {R"({"usage_type":"ReadRequestUnits","unit":"ReadRequestUnits","begin":0.0,)"
       R"("usd":0.000000125},)",
       "", R"(There is no price of "ReadRequestUnits".)"},
      {R"("begin":0.0,"usd":0.000000125)", R"("begin":0.0,"end":5,"usd":0.000000125)",
       R"(The last band of "ReadRequestUnits" has an "end": larger quantities have no price.)"},
  };
  for (const Case& each : cases) {
    const auto read = ReadList(Replaced(JsonOf(BuiltInPrices()), each.from, each.to));
    ASSERT_FALSE(read.ok()) << each.sentence;
    EXPECT_EQ(read.error().message, each.sentence);
  }
}

TEST(PriceList, AFileThatIsNoObjectIsRefused) {
  const auto list = ReadList("[]");
  ASSERT_FALSE(list.ok());
  EXPECT_EQ(list.error().message, "The file is not an object.");
  const auto prices = ReadList(R"({"region":"r","currency":"USD","published":"p",)"
                               R"("gigabyte_bytes":1,"month_hours":1,"prices":{}})");
  ASSERT_FALSE(prices.ok());
  EXPECT_EQ(prices.error().message, "\"prices\" is not a list.");
}

}  // namespace
}  // namespace hashrange
