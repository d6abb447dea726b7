#include "measure/report/report_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/arena.h"
#include "base/utf8.h"
#include "measure/report/example_measurement.h"
#include "measure/report/partition_example.h"
#include "support/golden_text.h"
#include "support/json_in_lines.h"
#include "wire/json.h"

namespace hashrange {
namespace {

std::string JsonOf(std::span<const ReportInput> inputs) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteReportJson(inputs, writer);
  return std::string(out.view());
}

TEST(ReportJson, HasEveryDerivedFigure) {
  const ReportInput inputs[] = {ShopWithOneCustomerKey(), ShopWithTenCustomerKeys()};
  ExpectGolden("tests/measure/report/golden/several.json", InLines(JsonOf(inputs)));
}

TEST(ReportJson, HasThePartitionsThatWereModelled) {
  const ReportInput input = ShopWithPartitions();
  const std::string lines = InLines(JsonOf({&input, 1}));
  const std::size_t begin = lines.find("\"partitions\":");
  ASSERT_NE(begin, lines.npos);
  ExpectGolden("tests/measure/report/golden/partitions.json",
               lines.substr(begin, lines.find("\"findings\":") - begin));
  const ReportInput many = ShopWithManyPartitions();
  EXPECT_NE(JsonOf({&many, 1}).find("\"left_out\":136"), std::string::npos);
}

TEST(ReportJson, AnInfinitePriceIsNull) {
  ReportInput inputs[] = {ShopWithOneCustomerKey(), ShopWithTenCustomerKeys()};
  inputs[0].pattern_costs[0].usd_per_million = std::numeric_limits<double>::infinity();
  const std::string json = JsonOf(inputs);
  EXPECT_NE(json.find("\"usd_per_million\":[null,"), json.npos);
  EXPECT_EQ(json.find("inf.0"), json.npos);
}

TEST(ReportJson, IsJsonWhateverTheKeysAre) {
  for (const ReportInput& input : {HostileShop(), HostilePartitions()}) {
    std::string json = JsonOf({&input, 1});
    EXPECT_TRUE(IsValidUtf8(json));
    Arena arena;
    const auto parsed = ParseJsonData({json.data(), json.size()}, JsonDialect::kStrict, arena);
    EXPECT_TRUE(parsed.ok());
  }
}

}  // namespace
}  // namespace hashrange
