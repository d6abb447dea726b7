// Tests the in-process API as a program uses it.
#include "hashrange/database.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "support/allocation_failures.h"
#include "support/eventually.h"

namespace hashrange {
namespace {

constexpr char kTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})";
constexpr char kPut[] = R"({"TableName":"app","Item":{"k":{"S":"1"},"text":{"S":"\u00e9\n"}}})";
constexpr char kGet[] = R"({"TableName":"app","Key":{"k":{"S":"1"}}})";
constexpr char kFound[] = R"({"Item":{"k":{"S":"1"},"text":{"S":"é\n"}}})";
constexpr char kNoTable[] =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
    R"("message":"Requested resource not found"})";

// "<status> <body>"
std::string Line(const Answer& answer) { return std::to_string(answer.status) + " " + answer.body; }

// A database with a table and an item.
class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest() {
    EXPECT_TRUE(database_.Call("CreateTable", kTable).ok());
    EXPECT_EQ(Line(database_.Call("PutItem", kPut)), "200 {}");
  }

  Database database_;
};

TEST_F(DatabaseTest, AnswersAreTheServices) {
  EXPECT_EQ(Line(database_.Call("GetItem", kGet)), std::string("200 ") + kFound);
  EXPECT_EQ(Line(database_.Call("ListTables", "{}")), R"(200 {"TableNames":["app"]})");
  EXPECT_EQ(Line(database_.Call("DescribeEndpoints", "{}", {.region = "eu-west-1"})),
            R"(200 {"Endpoints":[{"Address":"dynamodb.eu-west-1.amazonaws.com",)"
            R"("CachePeriodInMinutes":1440}]})");
}

TEST_F(DatabaseTest, ADumpOfAllTablesIsText) {
  const auto dump = database_.DumpAll();
  EXPECT_TRUE(database_.DumpAll()->HasSameContent(*dump));
  std::string lines;
  ASSERT_TRUE(dump->Next(lines));
  const std::string items = lines.substr(lines.find('\n') + 1);
  EXPECT_EQ(lines.substr(0, 60), R"({"account":"000000000000","region":"us-east-1","Table":{"Att)");
  EXPECT_EQ(items, std::string(kFound) + "\n");
  EXPECT_FALSE(dump->Next(lines));
  EXPECT_EQ(lines, "");
  EXPECT_TRUE(database_.Call("DeleteTable", R"({"TableName":"app"})").ok());
  EXPECT_FALSE(database_.DumpAll()->HasSameContent(*dump));
}

TEST_F(DatabaseTest, ErrorsAreAnswers) {
  const struct {
    const char* operation;
    const char* json;
    std::string answer;
  } kRows[] = {
      {"GetItem", R"({"TableName":"none","Key":{"k":{"S":"1"}}})", kNoTable},
      {"PutItem",
       R"j({"TableName":"app","Item":{"k":{"S":"1"}},
            "ConditionExpression":"attribute_not_exists(k)"})j",
       R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
       R"("message":"The conditional request failed"})"},
      {"GetItem", R"({"TableName":"app","Key":{"n":{"S":"1"}}})",
       R"({"__type":"com.amazon.coral.validate#ValidationException",)"
       R"("message":"The provided key element does not match the schema"})"},
      {"GetItem", "{", R"({"__type":"com.amazon.coral.service#SerializationException"})"},
      {"GetItem", "", R"({"__type":"com.amazon.coral.service#SerializationException"})"},
      {"GetItem", "\"", R"({"__type":"com.amazon.coral.service#SerializationException"})"},
      {"getItem", "{}", R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
      {"", "{}", R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
      {"CreateBackup", "{}",
       R"({"__type":"com.amazon.coral.service#UnknownOperationException",)"
       R"("message":"Hashrange does not implement CreateBackup."})"},
      {"DynamoDB_20120810.GetItem", "{}",
       R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
  };
  for (const auto& row : kRows) {
    const Answer answer = database_.Call(row.operation, row.json);
    EXPECT_FALSE(answer.ok());
    EXPECT_EQ(Line(answer), "400 " + row.answer) << row.operation << " " << row.json;
  }
}

TEST_F(DatabaseTest, AnInputAboveTheServicesLimitIsRefused) {
  constexpr std::size_t kLimit = 16 << 20;
  std::string json = R"({"Limit":1})";
  json.resize(kLimit, ' ');
  EXPECT_EQ(Line(database_.Call("ListTables", json)), R"(200 {"TableNames":["app"]})");
  json.push_back(' ');
  EXPECT_EQ(Line(database_.Call("ListTables", json)), "413 ");
}

TEST_F(DatabaseTest, AStringOfTheCallersIsReplaced) {
  std::string body = "before";
  EXPECT_EQ(database_.Call("GetItem", kGet, body), 200);
  EXPECT_EQ(body, kFound);
  EXPECT_EQ(database_.Call("GetItem", kGet, body, {.region = "eu-west-1"}), 400);
  EXPECT_EQ(body, kNoTable);
  EXPECT_EQ(database_.Call("GetItem", std::string((16 << 20) + 1, ' '), body), 413);
  EXPECT_EQ(body, "");
  body = kGet;
  EXPECT_EQ(database_.Call("GetItem", body, body), 200);
  EXPECT_EQ(body, kFound);
}

TEST_F(DatabaseTest, ACallersTimeIsTheTimeOfItsTables) {
  const auto created_at = [&](std::int64_t epoch_ms) {
    database_.SetTime(epoch_ms);
    const std::string name = "at" + std::to_string(epoch_ms);
    std::string table(kTable);
    table.replace(table.find("app"), 3, name);
    const std::string answer = database_.Call("CreateTable", table).body;
    constexpr std::string_view kMember = R"("CreationDateTime":)";
    const std::size_t begin = answer.find(kMember) + kMember.size();
    return answer.substr(begin, answer.find(',', begin) - begin);
  };
  EXPECT_EQ(created_at(1'767'225'600'000), "1767225600.000");
  EXPECT_EQ(created_at(1'767'225'600'250), "1767225600.250");
  EXPECT_EQ(created_at(1'000), "1.000");
  EXPECT_EQ(database_.Control("POST", "clock", R"({"advance":"2s"})").body,
            R"({"mode":"frozen","now":"1970-01-01T00:00:03.000Z","epoch_ms":3000,"scale":0.0})");
  EXPECT_EQ(created_at(4'000), "4.000");
}

TEST_F(DatabaseTest, ACallIsMeasuredUnderThePatternOfItsCaller) {
  ASSERT_TRUE(database_.Control("POST", "measurements", R"({"name":"m"})").ok());
  std::string body;
  EXPECT_EQ(database_.Call("GetItem", kGet, body, {}, "customer"), 200);
  EXPECT_EQ(database_.Call("GetItem", kGet, body), 200);
  const std::string measured = database_.Control("GET", "measurements/m").body;
  EXPECT_NE(measured.find(R"("name":"customer")"), std::string::npos);
  EXPECT_NE(measured.find(R"("name":"")"), std::string::npos);
}

TEST_F(DatabaseTest, AWarmReadAllocatesNothingButTheAnswer) {
  std::string body;
  ASSERT_EQ(database_.Call("GetItem", kGet, body), 200);
  const std::int64_t before = test::AllocationCount();
  ASSERT_EQ(database_.Call("GetItem", kGet, body), 200);
  EXPECT_EQ(test::AllocationCount() - before, 0);
  ASSERT_TRUE(database_.Call("GetItem", kGet).ok());
  EXPECT_EQ(test::AllocationCount() - before, 1);
}

TEST_F(DatabaseTest, AWarmStatementAllocatesNothingButTheAnswer) {
  constexpr char kSelect[] =
      R"({"Statement":"SELECT * FROM app WHERE k = ?","Parameters":[{"S":"1"}]})";
  std::string body;
  ASSERT_EQ(database_.Call("ExecuteStatement", kSelect, body), 200);
  const std::int64_t before = test::AllocationCount();
  ASSERT_EQ(database_.Call("ExecuteStatement", kSelect, body), 200);
  EXPECT_EQ(test::AllocationCount() - before, 0);
}

TEST_F(DatabaseTest, TablesBelongToAnAccountAndARegion) {
  const Credential kOthers[] = {{"111122223333", "us-east-1"}, {"", "eu-west-1"}};
  for (const Credential& other : kOthers) {
    EXPECT_EQ(Line(database_.Call("GetItem", kGet, other)), std::string("400 ") + kNoTable);
    EXPECT_TRUE(database_.Call("CreateTable", kTable, other).ok());
    EXPECT_EQ(Line(database_.Call("GetItem", kGet, other)), "200 {}");
  }
  // A key that is not an account id means the default account; without a Region, the default
  // Region is used.
  for (const Credential& same : {Credential{"local", "us-east-1"}, Credential{"000000000000", ""},
                                 Credential{"1111222233334", {}}}) {
    EXPECT_EQ(Line(database_.Call("GetItem", kGet, same)), std::string("200 ") + kFound);
  }
}

TEST(DatabaseOptions, SharedTablesAreEverybodys) {
  Database database({.shared_tables = true});
  EXPECT_TRUE(database.Call("CreateTable", kTable).ok());
  EXPECT_EQ(Line(database.Call("ListTables", "{}", {"111122223333", "eu-west-1"})),
            R"(200 {"TableNames":["app"]})");
}

TEST(DatabaseOptions, ItemsExpireWithTheInterval) {
  const auto make = [](Database& database) {
    EXPECT_TRUE(database.Call("CreateTable", kTable).ok());
    EXPECT_TRUE(database
                    .Call("UpdateTimeToLive", R"({"TableName":"app",
        "TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})")
                    .ok());
    const std::string past = std::to_string(std::time(nullptr) - 1);
    EXPECT_TRUE(database
                    .Call("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"},
        "ttl":{"N":")" + past + "\"}}}")
                    .ok());
  };
  Database keeping({.ttl_interval_ms = 0});
  make(keeping);
  Database sweeping({.ttl_interval_ms = 1});
  make(sweeping);
  ASSERT_TRUE(test::Eventually([&] { return sweeping.Call("GetItem", kGet).body == "{}"; }));
  EXPECT_NE(keeping.Call("GetItem", kGet).body, "{}");
}

TEST(DatabaseOptions, StreamsHaveTheShardsAndTheBufferAskedFor) {
  Database database({.stream_shards = 2, .stream_buffer_bytes = 1 << 20});
  std::string table(kTable);
  table.pop_back();
  table += R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
  const std::string created = database.Call("CreateTable", table).body;
  constexpr std::string_view kMember = R"("LatestStreamArn":")";
  const std::size_t at = created.find(kMember) + kMember.size();
  const std::string arn = created.substr(at, created.find('"', at) - at);
  const std::string described =
      database.Call("DescribeStream", R"({"StreamArn":")" + arn + "\"}").body;
  const std::size_t first = described.find("\"ShardId\":\"") + 11;
  EXPECT_NE(described.find("\"ShardId\"", first), std::string::npos) << described;

  const std::string shard = described.substr(first, described.find('"', first) - first);
  const std::string horizon = R"({"StreamArn":")" + arn + R"(","ShardId":")" + shard +
                              R"(","ShardIteratorType":"TRIM_HORIZON"})";
  const std::string iterator = database.Call("GetShardIterator", horizon).body;
  for (int i = 0; i < 10'000; ++i) {
    database.Call("PutItem", R"({"TableName":"app","Item":{"k":{"S":")" + std::to_string(i) +
                                 R"("},"v":{"S":")" + std::string(500, 'x') + "\"}}}");
  }
  const Answer trimmed = database.Call("GetRecords", iterator);
  EXPECT_NE(trimmed.body.find("TrimmedDataAccessException"), std::string::npos) << trimmed.body;
}

TEST(DatabaseOptions, DatabasesShareNothing) {
  Database one, other;
  EXPECT_TRUE(one.Call("CreateTable", kTable).ok());
  EXPECT_EQ(Line(other.Call("ListTables", "{}")), R"(200 {"TableNames":[]})");
}

TEST_F(DatabaseTest, ADroppedCallTakesItsLatency) {
  for (const auto& [when, count] : {std::pair("before", 1), std::pair("after", 2)}) {
    ASSERT_TRUE(database_
                    .Control("POST", "faults",
                             std::string(R"({"rules":[{"match":{"times":1},"do":{"drop":")") +
                                 when + R"(","latency":"30ms"}}]})")
                    .ok());
    const Stopwatch watch;
    EXPECT_EQ(Line(database_.Call("PutItem", R"({"TableName":"app","Item":{"k":{"S":"2"}}})")),
              "0 ");
    EXPECT_GE(watch.elapsed(), std::chrono::milliseconds(30));
    EXPECT_EQ(Line(database_.Call("Scan", R"({"TableName":"app","Select":"COUNT"})")),
              R"(200 {"Count":)" + std::to_string(count) + R"(,"ScannedCount":)" +
                  std::to_string(count) + "}");
  }
}

TEST_F(DatabaseTest, ThreadsCallAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 500;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const std::string account = "11112222333" + std::to_string(thread);
      const Credential as{.access_key = account};
      const std::string key = R"({"k":{"S":")" + account + "\"}}";
      if (!database_.Call("CreateTable", kTable, as).ok()) ++wrong;
      std::string body;
      for (int i = 0; i < kCalls; ++i) {
        // All threads add to the same counter, and each writes an item of its own.
        database_.Call("UpdateItem", R"({"TableName":"app","Key":{"k":{"S":"count"}},
            "UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}})");
        database_.Call("PutItem", R"({"TableName":"app","Item":)" + key + "}", body, as);
        database_.Call("Scan", R"({"TableName":"app"})", body, as);
        if (body != R"({"Items":[)" + key + R"(],"Count":1,"ScannedCount":1})") ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(
      database_.Call("GetItem", R"({"TableName":"app","Key":{"k":{"S":"count"}}})").body,
      R"({"Item":{"k":{"S":"count"},"n":{"N":")" + std::to_string(kThreads * kCalls) + "\"}}}");
}

}  // namespace
}  // namespace hashrange
