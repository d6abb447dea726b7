// Tests of the text that Prometheus reads. Each line is parsed by the rules of the format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "control/metric_families.h"
#include "hashrange/database.h"

namespace hashrange {
namespace {

using Samples = std::map<std::string, double>;

// Maps name{labels} to the value. The TYPE of a family precedes its samples, and no sample occurs
// twice.
Samples Parse(const std::string& text) {
  static const std::regex kSample(
      R"re(([a-z_]+)(\{[a-z_]+="(?:[^"\\]|\\.)*"(?:,[a-z_]+="(?:[^"\\]|\\.)*")*\})? (\S+))re");
  Samples samples;
  std::set<std::string> families;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ")) continue;
    if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(families.insert(line.substr(7, line.rfind(' ') - 7)).second) << line;
      continue;
    }
    std::smatch parts;
    EXPECT_TRUE(std::regex_match(line, parts, kSample)) << line;
    const std::string name =
        std::regex_replace(std::string(parts[1]), std::regex("_(bucket|sum|count)$"), "");
    EXPECT_TRUE(families.contains(parts[1]) || families.contains(name)) << line;
    const bool is_new =
        samples.emplace(std::string(parts[1]) + std::string(parts[2]), std::stod(parts[3])).second;
    EXPECT_TRUE(is_new) << line;
  }
  return samples;
}

std::string MetricsText(const MetricFamilies& families) {
  return prometheus::TextSerializer().Serialize(families);
}

class MetricsCallsTest : public testing::Test {
 protected:
  // Begins to count.
  void Enable() {
    const Answer answer = database_.Control("POST", "metrics");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, R"({"enabled":true})");
  }
  Samples Scrape() {
    const Answer answer = database_.Control("GET", "metrics");
    EXPECT_EQ(answer.status, 200) << answer.body;
    return Parse(answer.body);
  }
  void CreateTable() {
    ASSERT_TRUE(database_
                    .Call("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},
        {"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})")
                    .ok());
  }

  Database database_;
};

TEST_F(MetricsCallsTest, CountingBeginsWithAPost) {
  constexpr std::string_view kHint =
      "# Calls are not counted: POST /_hashrange/metrics or hashrange serve --metrics begins.\n";
  for (int i = 0; i < 2; ++i) {
    database_.Call("ListTables", "{}");
    const std::string text = database_.Control("GET", "metrics").body;
    ASSERT_TRUE(text.starts_with(kHint)) << text;
    const Samples samples = Parse(text.substr(kHint.size()));
    EXPECT_FALSE(samples.contains(R"(hashrange_requests_total{operation="ListTables"})"));
    EXPECT_EQ(samples.at("hashrange_tables"), 0);
    EXPECT_GT(samples.at("process_resident_memory_bytes"), 1e6);
    EXPECT_GT(samples.at("process_start_time_seconds"), 1.7e9);
    EXPECT_GE(samples.at("hashrange_uptime_seconds"), 0);
  }
  Enable();
  database_.Call("ListTables", "{}");
  Enable();
  EXPECT_EQ(Scrape().at(R"(hashrange_requests_total{operation="ListTables"})"), 1);
}

TEST_F(MetricsCallsTest, CountingDoesNotEnd) {
  const Answer answer = database_.Control("POST", "metrics", R"({"enabled":false})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body, R"({"error":"The server counts until it ends."})");
}

TEST_F(MetricsCallsTest, CallsItemsAndUnitsAreCounted) {
  CreateTable();
  Enable();
  database_.Call("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"g":{"S":"x"}}})");
  database_.Call("Query", R"({"TableName":"app","IndexName":"GSI",
    "KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"x"}}})");
  database_.Call("GetItem", R"({"TableName":"app"})");
  database_.Call("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"}}})");
  const Samples samples = Scrape();
  const std::string table = R"({account="000000000000",region="us-east-1",table="app",index=")";
  const std::pair<std::string, double> expected[] = {
      {R"(hashrange_requests_total{operation="GetItem"})", 2},
      {R"(hashrange_requests_total{operation="PutItem"})", 1},
      {R"(hashrange_request_errors_total{operation="GetItem",error="ValidationException"})", 1},
      {R"(hashrange_request_duration_seconds_count{operation="GetItem"})", 1},
      {R"(hashrange_request_duration_seconds_bucket{operation="GetItem",le="+Inf"})", 1},
      {R"(hashrange_request_duration_seconds_bucket{operation="GetItem",le="10"})", 1},
      {R"(hashrange_request_bytes_total{operation="PutItem"})", 56},
      {R"(hashrange_response_bytes_total{operation="PutItem"})", 2},
      {"hashrange_consumed_capacity_units_total" + table + R"(",kind="write"})", 1},
      {"hashrange_consumed_capacity_units_total" + table + R"(GSI",kind="write"})", 1},
      {"hashrange_consumed_capacity_units_total" + table + R"(",kind="read"})", 0.5},
      {"hashrange_consumed_capacity_units_total" + table + R"(GSI",kind="read"})", 0.5},
      {"hashrange_items_written_total" + table + R"("})", 1},
      {"hashrange_items_examined_total" + table + R"(GSI"})", 1},
      {"hashrange_items_returned_total" + table + R"("})", 1},
      {"hashrange_tables", 1},
      {R"(hashrange_table_items{account="000000000000",region="us-east-1",table="app"})", 1},
      {R"(hashrange_table_size_bytes{account="000000000000",region="us-east-1",table="app"})", 4},
  };
  for (const auto& [name, value] : expected) {
    ASSERT_TRUE(samples.contains(name)) << name;
    EXPECT_EQ(samples.at(name), value) << name;
  }
  EXPECT_GT(samples.at(R"(hashrange_request_duration_seconds_sum{operation="GetItem"})"), 0);
}

TEST_F(MetricsCallsTest, UnimplementedCallsAreCountedByTheirNames) {
  Enable();
  database_.Call("CreateBackup", "{}");
  for (const char* operation : {"Nope", "Nope2", ""}) database_.Call(operation, "{}");
  const Samples samples = Scrape();
  EXPECT_EQ(samples.at(R"(hashrange_requests_total{operation="CreateBackup"})"), 1);
  EXPECT_EQ(samples.at(R"j(hashrange_requests_total{operation="(unknown)"})j"), 3);
}

TEST(MetricsCalls, FamiliesAreInOneOrder) {
  Database database;
  std::istringstream lines(database.Control("GET", "metrics").body);
  std::vector<std::string> types;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) types.push_back(line.substr(7));
  }
  EXPECT_THAT(
      types,
      testing::ElementsAre(
          "hashrange_build_info gauge", "process_start_time_seconds gauge",
          "hashrange_uptime_seconds gauge", "process_resident_memory_bytes gauge",
          "hashrange_memory_bytes gauge", "hashrange_max_memory_bytes gauge",
          "hashrange_tables gauge", "hashrange_table_items gauge",
          "hashrange_table_size_bytes gauge", "hashrange_requests_total counter",
          "hashrange_request_errors_total counter", "hashrange_request_duration_seconds histogram",
          "hashrange_request_bytes_total counter", "hashrange_response_bytes_total counter",
          "hashrange_consumed_capacity_units_total counter",
          "hashrange_items_examined_total counter", "hashrange_items_returned_total counter",
          "hashrange_items_written_total counter"));
}

TEST(MetricsCalls, CountingBeginsAtTheStartWhenAskedFor) {
  Database database({.metrics = true});
  database.Call("ListTables", "{}");
  EXPECT_EQ(Parse(database.Control("GET", "metrics").body)
                .at(R"(hashrange_requests_total{operation="ListTables"})"),
            1);
}

TEST(MetricFamilies, AMillionIsWrittenInDigits) {
  OperationTotals totals;
  totals.operation = "Scan";
  totals.requests = 1'000'000;
  MetricFamilies families;
  AddOperations({totals}, families);
  EXPECT_EQ(MetricsText({families.front()}),
            R"(# HELP hashrange_requests_total API calls, failed ones too.
# TYPE hashrange_requests_total counter
hashrange_requests_total{operation="Scan"} 1000000
)");
}

TEST(MetricFamilies, BucketsIncludeTheLowerBuckets) {
  OperationTotals totals;
  totals.operation = "Scan";
  totals.requests = 4;
  totals.durations[0] = 1;
  totals.durations[2] = 2;
  totals.durations.back() = 1;
  totals.duration_ns = 1'500'000'000;
  MetricFamilies families;
  AddOperations({totals}, families);
  const Samples samples = Parse(MetricsText(families));
  const std::string bucket = R"(hashrange_request_duration_seconds_bucket{operation="Scan",le=")";
  EXPECT_EQ(samples.at(bucket + "5e-06\"}"), 1);
  EXPECT_EQ(samples.at(bucket + "1e-05\"}"), 1);
  EXPECT_EQ(samples.at(bucket + "2.5e-05\"}"), 3);
  EXPECT_EQ(samples.at(bucket + "10\"}"), 3);
  EXPECT_EQ(samples.at(bucket + "+Inf\"}"), 4);
  EXPECT_EQ(samples.at(R"(hashrange_request_duration_seconds_count{operation="Scan"})"), 4);
  EXPECT_EQ(samples.at(R"(hashrange_request_duration_seconds_sum{operation="Scan"})"), 1.5);
}

TEST(MetricFamilies, LabelsAreEscapedAndOtherTablesHaveAName) {
  SeriesTotals strange, others;
  strange.account_id = "a\"b\\c\nd";
  strange.table = "app";
  strange.read_units = 1;
  others.read_units = 2;
  OperationTotals unknown;
  unknown.requests = 3;
  MetricFamilies families;
  AddSeries({strange, others}, families);
  AddOperations({unknown}, families);
  const Samples samples = Parse(MetricsText(families));
  const std::string units = "hashrange_consumed_capacity_units_total{account=\"";
  const std::string kind = "\",index=\"\",kind=\"read\"}";
  EXPECT_EQ(samples.at(units + "a\\\"b\\\\c\\nd\",region=\"\",table=\"app" + kind), 1);
  EXPECT_EQ(samples.at(units + "\",region=\"\",table=\"(other)" + kind), 2);
  EXPECT_EQ(samples.at("hashrange_requests_total{operation=\"(unknown)\"}"), 3);
}

}  // namespace
}  // namespace hashrange
