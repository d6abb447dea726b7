// Tests of the line of the log for a call, and of when it is written.
#include "simulation/request_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "simulation/recorder.h"
#include "support/api.h"
#include "support/log_lines.h"
#include "wire/json.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

TEST(RequestLine, ContainsWhatIsKnownAboutTheCall) {
  RequestRecord record;
  record.duration_us = 41;
  EXPECT_EQ(RequestLine(record, nullptr), "(no operation) 200") << "it took nothing";
  const JsonValue request = JsonValue();
  record.operation = "BatchGetItem";
  record.account_id = "000000000000";
  record.region = "us-east-1";
  for (const char* table : {"app", "other", "app"}) {
    RequestAccess& access = record.accesses.emplace_back();
    access.table = table;
    access.units = 0.5;
  }
  EXPECT_EQ(RequestLine(record, &request),
            "BatchGetItem app,other 000000000000/us-east-1 200 1.5 units 0.041 ms");
  record.accesses.resize(1);
  record.accesses[0].index = "GSI1";
  record.http_status = 400;
  record.error = "ValidationException";
  record.delay_ms = 7;
  record.dropped = true;
  EXPECT_EQ(RequestLine(record, &request),
            "BatchGetItem app/GSI1 000000000000/us-east-1 400 0.5 units 0.041 ms, held back 7 ms, "
            "dropped ValidationException");
  record.message = "No.";
  EXPECT_TRUE(RequestLine(record, &request).ends_with("dropped ValidationException: No."));
}

// Returns the lines without the parts that differ from run to run.
std::vector<std::string> WithoutTimes(const std::vector<std::string>& lines) {
  std::vector<std::string> texts;
  for (const std::string& line : lines) {
    texts.push_back(std::regex_replace(line, std::regex(R"(\d+\.\d{3} ms)"), "T"));
  }
  return texts;
}

class RequestLog : public testing::Test {
 protected:
  void Run() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]}]})");
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"}}})");
    api_.Ok("Scan", R"({"TableName":"app","IndexName":"GSI"})");
    api_.Call("PutItem", R"j({"TableName":"app","Item":{"p":{"S":"a"}},
      "ConditionExpression":"attribute_not_exists(p)"})j");
    api_.Call("GetItem", R"({"TableName":"no\nne","Key":{"p":{"S":"a"}}})");
    api_.Call("CreateBackup", "{}");
    api_.Call("GetItem", "{");
  }

  ManualClock clock_{1'800'000'000'000};
  Recorder recorder_{chain_, clock_};
  GateChain chain_;
  Api api_{{.gate = &chain_.slot()}};
};

TEST_F(RequestLog, HasALineForEachCall) {
  recorder_.StartLog();
  std::vector<std::string> lines;
  SetLogSink(
      [&](LogLevel level, std::string_view line) {
        if (level == LogLevel::kDebug) lines.emplace_back(line);
      },
      LogLevel::kDebug);
  Run();
  SetLogSink(nullptr);
  EXPECT_THAT(
      WithoutTimes(lines),
      ElementsAre(
          "CreateTable app 000000000000/us-east-1 200 0 units T",
          "PutItem app 000000000000/us-east-1 200 2 units T",
          "Scan app/GSI 000000000000/us-east-1 200 0.5 units T",
          "PutItem app 000000000000/us-east-1 400 1 units T ConditionalCheckFailedException: The "
          "conditional request failed",
          "GetItem 000000000000/us-east-1 400 ValidationException: 1 validation error "
          "detected: Value 'no\\x0ane' at 'tableName' failed to satisfy constraint: Member must "
          "satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
          "CreateBackup 000000000000/us-east-1 400 UnknownOperationException: Hashrange "
          "does not implement CreateBackup.",
          "(no operation) 400 SerializationException"));
  EXPECT_EQ(recorder_.list().state().last_id, 0u) << "no list was asked for";
}

// There is neither a gate nor a line, so a request pays nothing.
TEST_F(RequestLog, WritesNothingUntilItIsAskedFor) {
  const test::LogLines logged(LogLevel::kDebug);
  EXPECT_EQ(chain_.slot().load(), nullptr);
  api_.Call("GetItem", "{");
  EXPECT_THAT(logged.lines(), testing::IsEmpty());
  recorder_.StartLog();
  EXPECT_EQ(chain_.slot().load(), &chain_);
  recorder_.StartList(10);
  recorder_.StopList();
  EXPECT_EQ(chain_.slot().load(), &chain_) << "it is for good";
}

}  // namespace
}  // namespace hashrange
