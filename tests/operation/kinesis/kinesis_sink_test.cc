// The records of Kinesis destinations, and the statuses of destinations that are written
// (docs/service/17-global-tables-and-account.md, section B).
#include "operation/kinesis/kinesis_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/api.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

using testing::IsEmpty;
using testing::StartsWith;

constexpr char kAppTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr char kAppName[] = R"({"TableName":"app"})";
constexpr char kOrders[] = "arn:aws:kinesis:us-east-1:000000000000:stream/orders";
constexpr char kOrdersFile[] = "us-east-1_000000000000_orders.jsonl";
constexpr char kNotEnabled[] =
    "Table is not in a valid state to enable Kinesis Streaming Destination: "
    "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE "
    "operation.";
constexpr char kNotDisabled[] =
    "Table is not in a valid state to enable Kinesis Streaming Destination: "
    "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.";

std::vector<std::string> LinesOf(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Replaces the UUID of a record by a word, after a check of its form.
std::string WithoutEventId(std::string record) {
  constexpr std::string_view kMember = R"("eventID":")";
  constexpr std::size_t kUuidLength = 36;
  const std::size_t at = record.find(kMember) + kMember.size();
  const std::string id = record.substr(at, kUuidLength);
  EXPECT_THAT(id, testing::MatchesRegex("[0-9a-f]+-[0-9a-f]+-4[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"));
  return record.replace(at, kUuidLength, "id");
}

std::string OfStream(std::string_view arn, std::string_view more = "") {
  return R"({"TableName":"app","StreamArn":")" + std::string(arn) + "\"" + std::string(more) + "}";
}

std::string PutText(std::string_view key, int number) {
  return R"({"TableName":"app","Item":{"pk":{"S":")" + std::string(key) + R"("},"n":{"N":")" +
         std::to_string(number) + R"("}}})";
}

class KinesisSinkTest : public testing::Test {
 protected:
  KinesisSinkTest() { Start(0); }
  ~KinesisSinkTest() override { sink_->Flush(); }

  // Makes an empty database, in which changes of tables take that long.
  void Start(std::int64_t transition_ms) {
    if (sink_) sink_->Flush();
    api_.reset();
    sink_.reset();
    auto sink = KinesisSink::Open(folder_.path() / "out");
    ASSERT_TRUE(sink.ok()) << sink.error().message;
    sink_ = std::move(*sink);
    api_ = std::make_unique<Api>(
        Dispatcher::Options{.kinesis = sink_.get(), .transition_ms = transition_ms});
    api_->engine().AddObserver(*sink_);
    api_->Ok("CreateTable", kAppTable);
    api_->clock().Advance(transition_ms);
  }
  std::string StatusOf(std::string_view arn) {
    const std::string answer = api_->Ok("DescribeKinesisStreamingDestination", kAppName);
    const std::size_t entry = answer.find(arn);
    constexpr std::string_view kMember = R"("DestinationStatus":")";
    const std::size_t at = answer.find(kMember, entry) + kMember.size();
    return answer.substr(at, answer.find('"', at) - at);
  }
  std::vector<std::string> Records(const char* file = kOrdersFile) {
    sink_->Flush();
    return LinesOf(folder_.path() / "out" / file);
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<KinesisSink> sink_;
  std::unique_ptr<Api> api_;
};

TEST_F(KinesisSinkTest, ARecordHasTheKeyAndBothImages) {
  api_->Ok("PutItem", PutText("before", 1));
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  EXPECT_EQ(StatusOf(kOrders), "ACTIVE");
  api_->Ok("PutItem", PutText("a", 1));
  api_->Ok("PutItem", PutText("a", 2));
  api_->Ok("PutItem", PutText("a", 2));  // no change
  api_->Ok("DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"a"}}})");
  std::vector<std::string> records = Records();
  ASSERT_EQ(records.size(), 3u);
  const std::string start =
      R"({"awsRegion":"us-east-1","eventID":"id","eventName":"%","userIdentity":null,)"
      R"("recordFormat":"application/json","tableName":"app","dynamodb":{)"
      R"("ApproximateCreationDateTime":1700000000000,)"
      R"("ApproximateCreationDateTimePrecision":"MILLISECOND","Keys":{"pk":{"S":"a"}},)";
  const auto expect = [&](const std::string& record, std::string_view event,
                          std::string_view images) {
    std::string expected = start;
    expected.replace(expected.find('%'), 1, event);
    expected.append(images).append(R"(},"eventSource":"aws:dynamodb"})");
    EXPECT_EQ(WithoutEventId(record), expected);
  };
  expect(records[0], "INSERT", R"("NewImage":{"pk":{"S":"a"},"n":{"N":"1"}},"SizeBytes":9)");
  expect(records[1], "MODIFY",
         R"("NewImage":{"pk":{"S":"a"},"n":{"N":"2"}},)"
         R"("OldImage":{"pk":{"S":"a"},"n":{"N":"1"}},"SizeBytes":15)");
  expect(records[2], "REMOVE", R"("OldImage":{"pk":{"S":"a"},"n":{"N":"2"}},"SizeBytes":9)");
}

TEST_F(KinesisSinkTest, AnExpiredItemIsRemovedByTheService) {
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  api_->Ok("UpdateTimeToLive",
           R"({"TableName":"app","TimeToLiveSpecification":{"AttributeName":"n","Enabled":true}})");
  api_->Ok("PutItem", PutText("a", 1'700'000'000));
  api_->clock().Advance(1000);
  api_->time_to_live().Sweep();
  const std::vector<std::string> records = Records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_THAT(records[1],
              testing::HasSubstr(R"("eventName":"REMOVE","userIdentity":{"PrincipalId":)"
                                 R"("dynamodb.amazonaws.com","Type":"Service"},"recordFormat")"));
}

TEST_F(KinesisSinkTest, MicrosecondsAreUsedFromTheUpdateOn) {
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  constexpr char kMicroseconds[] =
      R"(,"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"})";
  api_->Answers(
      "UpdateKinesisStreamingDestination", OfStream(kOrders, kMicroseconds),
      OfStream(kOrders, std::string(R"(,"DestinationStatus":"UPDATING")") + kMicroseconds));
  api_->Ok("PutItem", PutText("a", 1));
  const std::vector<std::string> records = Records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_THAT(records[0],
              testing::HasSubstr(R"("ApproximateCreationDateTime":1700000000000000,)"
                                 R"("ApproximateCreationDateTimePrecision":"MICROSECOND")"));
  const std::string table = api_->Ok("DescribeTable", kAppName);
  const std::size_t id = table.find(R"("TableId":")") + 11;
  api_->Fails("UpdateKinesisStreamingDestination", OfStream(kOrders, kMicroseconds),
              "ValidationException",
              "Invalid Request: Precision is already set to the desired value of MICROSECOND for "
              "tableId: " +
                  table.substr(id, 36) + ", kdsArn: " + kOrders);
}

TEST_F(KinesisSinkTest, OneDestinationIsLiveAndADisabledOneStaysListed) {
  constexpr char kOther[] = "arn:aws:kinesis:us-east-1:000000000000:stream/other";
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  for (const char* arn : {kOrders, kOther}) {
    api_->Fails("EnableKinesisStreamingDestination", OfStream(arn), "ValidationException",
                kNotEnabled);
  }
  api_->Fails("DisableKinesisStreamingDestination", OfStream(kOther), "ValidationException",
              kNotDisabled);
  api_->Answers("DisableKinesisStreamingDestination", OfStream(kOrders),
                OfStream(kOrders, R"(,"DestinationStatus":"DISABLING")"));
  EXPECT_EQ(StatusOf(kOrders), "DISABLED");
  api_->Ok("PutItem", PutText("a", 1));
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOther));
  api_->Ok("PutItem", PutText("b", 1));
  EXPECT_EQ(StatusOf(kOrders), "DISABLED");
  EXPECT_EQ(StatusOf(kOther), "ACTIVE");
  EXPECT_THAT(Records(), IsEmpty());
  EXPECT_EQ(Records("us-east-1_000000000000_other.jsonl").size(), 1u);
}

TEST_F(KinesisSinkTest, AStatusLastsAsLongAsTheTransitionsOfTables) {
  constexpr std::int64_t kTransitionMs = 1000;
  Start(kTransitionMs);
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  EXPECT_EQ(StatusOf(kOrders), "ENABLING");
  api_->Fails("DisableKinesisStreamingDestination", OfStream(kOrders), "ValidationException",
              kNotDisabled);
  api_->Ok("PutItem", PutText("a", 1));
  api_->clock().Advance(kTransitionMs);
  EXPECT_EQ(StatusOf(kOrders), "ACTIVE");
  api_->Ok("DisableKinesisStreamingDestination", OfStream(kOrders));
  EXPECT_EQ(StatusOf(kOrders), "DISABLING");
  api_->Fails("EnableKinesisStreamingDestination", OfStream(kOrders), "ValidationException",
              kNotEnabled);
  api_->clock().Advance(kTransitionMs);
  EXPECT_EQ(StatusOf(kOrders), "DISABLED");
  EXPECT_EQ(Records().size(), 1u);
}

TEST_F(KinesisSinkTest, ATextThatNamesNoStreamFails) {
  for (const char* arn : {"arn:aws:kinesis:us-east-1:000000000000:stream/../../etc/passwd",
                          "arn:aws:kinesis:us-east-1:000000000000:stream/",
                          "arn:aws:kinesis:../../..:000000000000:stream/orders",
                          "arn:aws:dynamodb:us-east-1:000000000000:table/orders"}) {
    EXPECT_EQ(KinesisFileName(arn), std::nullopt) << arn;
    api_->Ok("EnableKinesisStreamingDestination", OfStream(arn));
    EXPECT_EQ(StatusOf(arn), "ENABLE_FAILED") << arn;
  }
}

TEST_F(KinesisSinkTest, RecordsOfAKeyAreInTheOrderOfItsCommits) {
  constexpr int kWriters = 4, kWrites = 300;
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([this, writer] {
      for (int i = 0; i < kWrites; ++i) {
        api_->Ok("PutItem", PutText("shared", writer * kWrites + i));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::vector<std::string> records = Records();
  ASSERT_EQ(records.size(), static_cast<std::size_t>(kWriters * kWrites));
  // The old image of a record is the new image of the record before it.
  std::string last;
  for (const std::string& record : records) {
    const std::size_t new_at = record.find(R"("NewImage":)") + 11;
    const std::size_t old_at = record.find(R"("OldImage":)");
    if (!last.empty()) {
      ASSERT_THAT(record.substr(old_at + 11), StartsWith(last));
    }
    last = record.substr(new_at, record.find("}}", new_at) + 2 - new_at);
  }
}

TEST_F(KinesisSinkTest, WhatWaitsIsWrittenAtTheEndAndContinuedLater) {
  for (int i = 0; i < 2; ++i) {
    Start(0);
    api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
    api_->Ok("PutItem", PutText("a", i));
  }
  EXPECT_EQ(Records().size(), 2u);
}

TEST_F(KinesisSinkTest, RecordsThatCannotBeWrittenAreToldAndBlockNothing) {
  std::filesystem::create_directory(folder_.path() / "out" / kOrdersFile);
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  api_->Ok("PutItem", PutText("a", 1));
  sink_->Flush();
  const std::string told = sink_->ProblemOf(kOrders);
  EXPECT_THAT(told, StartsWith("1 record is lost: "));
  EXPECT_THAT(told, testing::EndsWith(std::string(kOrdersFile) + ": it is a folder"));
  std::filesystem::remove(folder_.path() / "out" / kOrdersFile);
  api_->Ok("PutItem", PutText("b", 1));
  EXPECT_EQ(Records().size(), 1u);
  EXPECT_THAT(api_->Ok("DescribeKinesisStreamingDestination", kAppName),
              testing::HasSubstr(R"("DestinationStatusDescription":"1 record is lost: )"));
}

TEST_F(KinesisSinkTest, AFileIsOfItsUserAlone) {
  api_->Ok("EnableKinesisStreamingDestination", OfStream(kOrders));
  api_->Ok("PutItem", PutText("a", 1));
  ASSERT_EQ(Records().size(), 1u);
  const auto status = std::filesystem::status(folder_.path() / "out" / kOrdersFile);
  EXPECT_EQ(status.permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace hashrange
