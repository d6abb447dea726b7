// A stream that is switched on or off, when switching takes time (--transition-ms;
// docs/service/12-streams-and-ttl.md, section B; 13-update-table-and-gsi-lifecycle.md, section 6).
#include <gtest/gtest.h>

#include <string>

#include "operation/stream/stream_reader.h"

namespace hashrange {
namespace {

using test::StreamReader;
using test::TextAt;

constexpr std::int64_t kSwitchMs = 1000;

constexpr char kSwitchTable[] = R"({"TableName":"app",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
  "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}})";
constexpr char kStreamed[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})";
constexpr char kSwitchName[] = R"({"TableName":"app"})";
constexpr char kSwitchOn[] = R"({"TableName":"app","StreamSpecification":
  {"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
constexpr char kSwitchOff[] =
    R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})";
constexpr char kSwitchRaise[] =
    R"({"TableName":"app","ProvisionedThroughput":{"ReadCapacityUnits":9,"WriteCapacityUnits":9}})";
constexpr char kOnDemand[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})";
constexpr char kLimit[] = R"({"TableName":"app","OnDemandThroughput":{"MaxReadRequestUnits":7}})";
constexpr char kClass[] = R"({"TableName":"app","TableClass":"STANDARD_INFREQUENT_ACCESS"})";
constexpr char kAddIndex[] = R"({"TableName":"app",
  "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
  "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-a",
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
    "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]})";
constexpr char kSwitchProtect[] = R"({"TableName":"app","DeletionProtectionEnabled":true})";
constexpr char kSwitchPut[] = R"({"TableName":"app","Item":{"pk":{"S":"1"}}})";
constexpr char kErase[] = R"({"TableName":"app","Key":{"pk":{"S":"1"}}})";

class StreamSwitchTest : public testing::Test {
 protected:
  void Create(const char* table) {
    api_.Ok("CreateTable", table);
    Settle();
  }
  void Settle() { api_.clock().Advance(kSwitchMs); }
  std::string Describe(std::string_view path) {
    return TextAt(api_.Ok("DescribeTable", kSwitchName), "Table/" + std::string(path));
  }
  std::string StreamStatus(const StreamReader& reader) {
    return TextAt(api_.Ok("DescribeStream", R"({"StreamArn":")" + reader.arn() + "\"}"),
                  "StreamDescription/StreamStatus");
  }
  void ExpectInUse(std::string_view operation, std::string_view json, const std::string& detail) {
    api_.Fails(operation, json, "ResourceInUseException",
               "Attempt to change a resource which is still in use: " + detail);
  }
  int RecordCount(StreamReader& reader) {
    return reader.Read(reader.Iterator("TRIM_HORIZON")).count;
  }

  Api api_{{.transition_ms = kSwitchMs}};
};

TEST_F(StreamSwitchTest, StreamOfANewTableIsEnabling) {
  api_.Ok("CreateTable", kStreamed);
  StreamReader reader(api_, "app");
  EXPECT_EQ(StreamStatus(reader), "ENABLING");
  Settle();
  EXPECT_EQ(StreamStatus(reader), "ENABLED");
  api_.Ok("PutItem", kSwitchPut);
  EXPECT_EQ(RecordCount(reader), 1);
}

TEST_F(StreamSwitchTest, StreamIsDescribedAtOnceAndRecordsAtOnce) {
  Create(kSwitchTable);
  const std::string answer = api_.Ok("UpdateTable", kSwitchOn);
  EXPECT_EQ(TextAt(answer, "TableDescription/TableStatus"), "UPDATING");
  EXPECT_EQ(TextAt(answer, "TableDescription/StreamSpecification/StreamViewType"), "NEW_IMAGE");
  StreamReader reader(api_, "app");
  EXPECT_EQ(TextAt(answer, "TableDescription/LatestStreamArn"), reader.arn());
  EXPECT_EQ(Describe("TableStatus"), "UPDATING");
  EXPECT_EQ(StreamStatus(reader), "ENABLING");
  api_.Ok("PutItem", kSwitchPut);
  Settle();
  EXPECT_EQ(Describe("TableStatus"), "ACTIVE");
  EXPECT_EQ(Describe("LatestStreamArn"), reader.arn());
  EXPECT_EQ(StreamStatus(reader), "ENABLED");
  api_.Ok("DeleteItem", kErase);
  EXPECT_EQ(RecordCount(reader), 2);
}

TEST_F(StreamSwitchTest, StreamEndsAtOnceAndIsDisabledLater) {
  Create(kStreamed);
  api_.Ok("PutItem", kSwitchPut);
  StreamReader reader(api_, "app");
  const std::string answer = api_.Ok("UpdateTable", kSwitchOff);
  EXPECT_EQ(TextAt(answer, "TableDescription/TableStatus"), "UPDATING");
  EXPECT_EQ(TextAt(answer, "TableDescription/StreamSpecification"), "");
  EXPECT_EQ(TextAt(answer, "TableDescription/LatestStreamArn"), reader.arn());
  EXPECT_EQ(StreamStatus(reader), "DISABLING");
  api_.Ok("DeleteItem", kErase);
  Settle();
  EXPECT_EQ(StreamStatus(reader), "DISABLED");
  EXPECT_EQ(Describe("StreamSpecification"), "");
  EXPECT_EQ(Describe("LatestStreamArn"), reader.arn());
  EXPECT_EQ(RecordCount(reader), 1);
}

TEST_F(StreamSwitchTest, DeletedTablesStreamIsDisabling) {
  Create(kStreamed);
  StreamReader reader(api_, "app");
  api_.Ok("DeleteTable", kSwitchName);
  EXPECT_EQ(StreamStatus(reader), "DISABLING");
  Settle();
  EXPECT_EQ(StreamStatus(reader), "DISABLED");
}

TEST_F(StreamSwitchTest, OthersWaitForASwitch) {
  Create(kSwitchTable);
  for (const char* operation : {"ENABLE", "DISABLE"}) {
    const bool enables = operation[0] == 'E';
    api_.Ok("UpdateTable", enables ? kSwitchOn : kSwitchOff);
    const std::string during =
        ". Table: app Stream: " + Describe("LatestStreamLabel") + " Operation: " + operation;
    // Both are refused because of the switch, before they are checked against the table.
    ExpectInUse("UpdateTable", kSwitchOn,
                "A stream status change is currently in progress" + during);
    ExpectInUse("UpdateTable", kSwitchOff,
                "A stream status change is currently in progress" + during);
    ExpectInUse("UpdateTable", kSwitchRaise,
                "Can't change table IOPS when stream status is being updated" + during);
    ExpectInUse("UpdateTable", kOnDemand,
                "Can't change table IOPS when stream status is being updated" + during);
    ExpectInUse("UpdateTable", kClass,
                "Can't update table class when stream status is being updated" + during);
    ExpectInUse("UpdateTable", kAddIndex,
                "Can't create or delete an index when stream status is being updated" + during);
    ExpectInUse("UpdateTable", kLimit,
                "OnDemandThroughput cannot be updated while stream status update is in progress");
    ExpectInUse("DeleteTable", kSwitchName,
                "Cannot delete table while stream is being enabled/disabled.");
    api_.Ok("UpdateTable", kSwitchProtect);
    EXPECT_EQ(Describe("TableStatus"), "UPDATING");
    ExpectInUse("DeleteTable", kSwitchName,
                "Cannot delete table while stream is being enabled/disabled.");
    Settle();
    EXPECT_EQ(Describe("TableStatus"), "ACTIVE");
    EXPECT_EQ(Describe("StreamSpecification/StreamEnabled"), enables ? "true" : "");
  }
}

TEST_F(StreamSwitchTest, ASwitchWaitsForOthers) {
  Create(kSwitchTable);
  api_.Ok("UpdateTable", kSwitchRaise);
  ExpectInUse("UpdateTable", kSwitchOn,
              "Can't enable or disable stream while table IOPS are being updated. Table: app");
  Settle();
  api_.Ok("UpdateTable", kClass);
  ExpectInUse("UpdateTable", kSwitchOn,
              "Can't change stream status when a table class update is in progress. Table: app "
              "TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS");
  Settle();
  api_.Answers("ListStreams", "{}", R"({"Streams":[]})");
  api_.Ok("UpdateTable", R"({"TableName":"app","SSESpecification":{"Enabled":true}})");
  api_.Ok("UpdateTable", kSwitchOn);
  EXPECT_EQ(Describe("StreamSpecification/StreamEnabled"), "true");
  Settle();
  EXPECT_EQ(Describe("StreamSpecification/StreamEnabled"), "true");
  EXPECT_EQ(Describe("SSEDescription/Status"), "ENABLED");
  api_.Ok("PutItem", kSwitchPut);
  StreamReader reader(api_, "app");
  EXPECT_EQ(RecordCount(reader), 1);
}

}  // namespace
}  // namespace hashrange
