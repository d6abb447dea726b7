// CREATING, UPDATING and DELETING with --transition-ms (docs/service/03-tables-and-indexes.md,
// section 4).
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr std::int64_t kPhaseMs = 1000;

constexpr char kPhaseTable[] = R"({"TableName":"app",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                          {"AttributeName":"a","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
  "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
  "GlobalSecondaryIndexes":[{"IndexName":"by-a",
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
    "ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}]})";
constexpr char kPhaseName[] = R"({"TableName":"app"})";
constexpr char kPhasePut[] = R"({"TableName":"app","Item":{"pk":{"S":"1"},"a":{"S":"x"}}})";
constexpr char kPhaseRaise[] =
    R"({"TableName":"app","ProvisionedThroughput":{"ReadCapacityUnits":9,"WriteCapacityUnits":9}})";
constexpr char kPhaseProtect[] = R"({"TableName":"app","DeletionProtectionEnabled":true})";
constexpr char kUnprotect[] = R"({"TableName":"app","DeletionProtectionEnabled":false})";

constexpr char kInUse[] = "Attempt to change a resource which is still in use: ";

class TableTransitions : public testing::Test {
 protected:
  void Create() {
    api_.Ok("CreateTable", kPhaseTable);
    Settle();
  }
  void Settle() { api_.clock().Advance(kPhaseMs); }

  // Returns the value of the first member of this name in the table's description, as JSON text.
  // The table's members come before its indexes' members. Empty: there is no such member.
  std::string Describe(std::string_view member) {
    return MemberOf(api_.Ok("DescribeTable", kPhaseName), member);
  }
  static std::string MemberOf(const std::string& body, std::string_view member) {
    const std::string name = "\"" + std::string(member) + "\":";
    const std::size_t at = body.find(name);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size();
    return body.substr(begin, body.find_first_of(",}", begin) - begin);
  }
  void ExpectInUse(std::string_view operation, std::string_view json, const std::string& detail) {
    api_.Fails(operation, json, "ResourceInUseException", kInUse + detail);
  }
  // Expects that every operation on items answers as if the table did not exist.
  void ExpectNoDataPlane() {
    constexpr const char* kCalls[][2] = {
        {"PutItem", kPhasePut},
        {"GetItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}}})"},
        {"UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}}})"},
        {"DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}}})"},
        {"Query", R"({"TableName":"app","KeyConditionExpression":"pk = :p",
                      "ExpressionAttributeValues":{":p":{"S":"1"}}})"},
        {"Scan", kPhaseName},
        {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"pk":{"S":"1"}}]}}})"},
        {"BatchWriteItem",
         R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":{"pk":{"S":"1"}}}}]}})"},
        {"TransactGetItems",
         R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"pk":{"S":"1"}}}}]})"},
        {"TransactWriteItems",
         R"({"TransactItems":[{"Delete":{"TableName":"app","Key":{"pk":{"S":"1"}}}}]})"}};
    for (const auto& [operation, json] : kCalls) {
      api_.Fails(operation, json, "ResourceNotFoundException", "Requested resource not found");
    }
  }

  Api api_{{.transition_ms = kPhaseMs}};
};

TEST_F(TableTransitions, TableIsCreatingUntilItsTime) {
  EXPECT_EQ(MemberOf(api_.Ok("CreateTable", kPhaseTable), "TableStatus"), "\"CREATING\"");
  api_.clock().Advance(kPhaseMs - 1);
  EXPECT_EQ(Describe("TableStatus"), "\"CREATING\"");
  EXPECT_EQ(Describe("IndexStatus"), "\"CREATING\"");
  api_.Answers("ListTables", "{}", R"({"TableNames":["app"]})");
  ExpectNoDataPlane();
  ExpectInUse("CreateTable", kPhaseTable, "Table is being created: app");
  ExpectInUse("DeleteTable", kPhaseName, "Table is being created: app");
  ExpectInUse("UpdateTable", kPhaseRaise, "Table is being created: app");
  ExpectInUse("UpdateTable", kPhaseProtect, "Table is being created: app");
  api_.clock().Advance(1);
  api_.Ok("PutItem", kPhasePut);
  EXPECT_EQ(Describe("TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(Describe("IndexStatus"), "\"ACTIVE\"");
  api_.Fails("CreateTable", kPhaseTable, "ResourceInUseException", "Table already exists: app");
}

TEST_F(TableTransitions, UpdatingTableShowsOldThroughputAndKeepsWorking) {
  Create();
  const std::string answer = api_.Ok("UpdateTable", kPhaseRaise);
  EXPECT_EQ(MemberOf(answer, "TableStatus"), "\"UPDATING\"");
  EXPECT_EQ(MemberOf(answer, "ReadCapacityUnits"), "5");
  api_.clock().Advance(kPhaseMs - 1);
  EXPECT_EQ(Describe("TableStatus"), "\"UPDATING\"");
  EXPECT_EQ(Describe("ReadCapacityUnits"), "5");
  api_.Ok("PutItem", kPhasePut);
  ExpectInUse("UpdateTable", kPhaseRaise, "Table IOPS are currently being updated. Table: app");
  ExpectInUse("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})",
              "Table IOPS are currently being updated. Table: app");
  ExpectInUse("UpdateTable", R"({"TableName":"app","TableClass":"STANDARD"})",
              "Table is being updated: app");
  ExpectInUse("DeleteTable", kPhaseName, "Table: app is in the process of being updated.");
  api_.Fails("CreateTable", kPhaseTable, "ResourceInUseException", "Table already exists: app");
  api_.clock().Advance(1);
  EXPECT_EQ(Describe("TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(Describe("ReadCapacityUnits"), "9");
  api_.Answers("GetItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}}})",
               R"({"Item":{"pk":{"S":"1"},"a":{"S":"x"}}})");
  api_.Ok("DeleteTable", kPhaseName);
}

TEST_F(TableTransitions, ThroughputIsDatedWhenItsChangeIsDone) {
  Create();  // it is ACTIVE at 1,700,000,001 s
  EXPECT_EQ(MemberOf(api_.Ok("UpdateTable", kPhaseRaise), "LastIncreaseDateTime"),
            "1700000001.000");
  EXPECT_EQ(Describe("LastIncreaseDateTime"), "1700000001.000");
  Settle();
  Settle();
  EXPECT_EQ(Describe("LastIncreaseDateTime"), "1700000002.000");
  api_.Ok("UpdateTable", R"({"TableName":"app","ProvisionedThroughput":
    {"ReadCapacityUnits":8,"WriteCapacityUnits":10}})");
  Settle();
  EXPECT_EQ(Describe("LastIncreaseDateTime"), "1700000004.000");
  EXPECT_EQ(Describe("LastDecreaseDateTime"), "1700000004.000");
  EXPECT_EQ(Describe("NumberOfDecreasesToday"), "1");
}

// The table's own throughput does not change and has no dates: the date that is described is the
// index's.
TEST_F(TableTransitions, ThroughputOfAnIndexIsDatedBesideAnIndexThatIsMade) {
  Create();
  api_.Ok("UpdateTable", R"({"TableName":"app",
    "AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[
      {"Update":{"IndexName":"by-a",
        "ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":7}}},
      {"Create":{"IndexName":"by-b","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"ALL"},
        "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]})");
  EXPECT_EQ(Describe("LastIncreaseDateTime"), "1700000001.000");
  Settle();
  EXPECT_EQ(Describe("LastIncreaseDateTime"), "1700000002.000")
      << "the new index is still being filled";
  Settle();
  EXPECT_EQ(Describe("LastIncreaseDateTime"), "1700000002.000");
}

// A decrease counts for the day on which it takes effect.
TEST_F(TableTransitions, DecreaseOverMidnightIsOfTheNewDay) {
  Create();
  constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;
  const std::int64_t today_ms = api_.clock().NowEpochMs() % kDayMs;
  api_.clock().Advance(kDayMs - today_ms - kPhaseMs / 2);
  api_.Ok("UpdateTable", R"({"TableName":"app","ProvisionedThroughput":
    {"ReadCapacityUnits":1,"WriteCapacityUnits":1}})");
  Settle();
  EXPECT_EQ(Describe("NumberOfDecreasesToday"), "1");
}

TEST_F(TableTransitions, DeletionProtectionChangesAtOnceEvenWhileUpdating) {
  Create();
  api_.Ok("UpdateTable", kPhaseRaise);
  api_.clock().Advance(kPhaseMs / 2);
  const std::string answer = api_.Ok("UpdateTable", kPhaseProtect);
  EXPECT_EQ(MemberOf(answer, "TableStatus"), "\"UPDATING\"");
  EXPECT_EQ(Describe("DeletionProtectionEnabled"), "true");
  api_.clock().Advance(kPhaseMs / 2);  // the update is not delayed by it
  EXPECT_EQ(Describe("TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(Describe("ReadCapacityUnits"), "9");
  EXPECT_EQ(Describe("DeletionProtectionEnabled"), "true");
  api_.Fails("DeleteTable", kPhaseName, "ValidationException",
             "Resource cannot be deleted as it is currently protected against deletion. Disable "
             "deletion protection first.");
  EXPECT_EQ(MemberOf(api_.Ok("UpdateTable", kUnprotect), "TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(MemberOf(api_.Ok("DeleteTable", kPhaseName), "TableStatus"), "\"DELETING\"");
}

TEST_F(TableTransitions, WarmThroughputAndEncryptionChangeBehindAnActiveTable) {
  Create();
  api_.Ok("UpdateTable", R"({"TableName":"app","WarmThroughput":{"ReadUnitsPerSecond":70}})");
  api_.clock().Advance(kPhaseMs / 2);
  api_.Ok("UpdateTable", R"({"TableName":"app","SSESpecification":{"Enabled":true}})");
  api_.clock().Advance(kPhaseMs - 1);  // both settle with the later one
  const std::string during = api_.Ok("DescribeTable", kPhaseName);
  EXPECT_EQ(MemberOf(during, "TableStatus"), "\"ACTIVE\"");
  EXPECT_NE(during.find(R"("SSEDescription":{"Status":"UPDATING")"), std::string::npos) << during;
  EXPECT_NE(during.find(R"({"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":5,"Status":"UPDATING"})"),
            std::string::npos)
      << during;
  ExpectInUse("DeleteTable", kPhaseName, "Table: app is in the process of being updated.");
  api_.clock().Advance(1);
  const std::string after = api_.Ok("DescribeTable", kPhaseName);
  EXPECT_NE(after.find(R"("SSEDescription":{"Status":"ENABLED")"), std::string::npos) << after;
  EXPECT_NE(after.find(R"({"ReadUnitsPerSecond":70,"WriteUnitsPerSecond":5,"Status":"ACTIVE"})"),
            std::string::npos)
      << after;
  api_.Ok("DeleteTable", kPhaseName);
}

TEST_F(TableTransitions, WarmThroughputAskedForIsDescribedWhileTheTableIsMade) {
  constexpr char kWarm[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
    "WarmThroughput":{"WriteUnitsPerSecond":4001}})";
  constexpr char kUnits[] = R"("WarmThroughput":{"ReadUnitsPerSecond":12000,)"
                            R"("WriteUnitsPerSecond":4001,"Status":)";
  const std::string making = std::string(kUnits) + "\"UPDATING\"}";
  const std::string made = std::string(kUnits) + "\"ACTIVE\"}";
  const std::string created = api_.Ok("CreateTable", kWarm);
  EXPECT_NE(created.find(making), std::string::npos) << created;
  const std::string during = api_.Ok("DescribeTable", kPhaseName);
  EXPECT_NE(during.find(making), std::string::npos) << during;
  Settle();
  const std::string after = api_.Ok("DescribeTable", kPhaseName);
  EXPECT_NE(after.find(made), std::string::npos) << after;
}

TEST_F(TableTransitions, LimitsOnDemandChangeAtOnce) {
  Create();
  api_.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})");
  ExpectInUse("UpdateTable",
              R"({"TableName":"app","OnDemandThroughput":{"MaxReadRequestUnits":7}})",
              "OnDemandThroughput cannot be updated while BillingMode update is in progress");
  Settle();
  const std::string answer = api_.Ok(
      "UpdateTable", R"({"TableName":"app","OnDemandThroughput":{"MaxReadRequestUnits":7}})");
  EXPECT_EQ(MemberOf(answer, "TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(Describe("MaxReadRequestUnits"), "7");
  api_.Ok("UpdateTable", R"({"TableName":"app","OnDemandThroughput":{"MaxReadRequestUnits":-1}})");
  EXPECT_EQ(Describe("MaxReadRequestUnits"), "");
}

TEST_F(TableTransitions, AnotherKeyShowsWhenItIsInUse) {
  constexpr char kFirst[] = R"({"TableName":"app","SSESpecification":
    {"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"arn:aws:kms:first"}})";
  constexpr char kSecond[] = R"({"TableName":"app","SSESpecification":
    {"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"arn:aws:kms:second"}})";
  Create();
  api_.Ok("UpdateTable", kFirst);
  EXPECT_EQ(Describe("KMSMasterKeyArn"), "\"arn:aws:kms:first\"");
  Settle();
  const std::string answer = api_.Ok("UpdateTable", kSecond);
  EXPECT_EQ(MemberOf(answer, "KMSMasterKeyArn"), "\"arn:aws:kms:first\"");
  EXPECT_EQ(MemberOf(answer, "TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(Describe("KMSMasterKeyArn"), "\"arn:aws:kms:first\"");
  Settle();
  EXPECT_EQ(Describe("KMSMasterKeyArn"), "\"arn:aws:kms:second\"");
}

TEST_F(TableTransitions, UpdatingIndexKeepsItsTable) {
  Create();
  constexpr char kIndex[] = R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Update":
    {"IndexName":"by-a","ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":7}}}]})";
  api_.Ok("UpdateTable", kIndex);
  EXPECT_EQ(Describe("TableStatus"), "\"ACTIVE\"");
  EXPECT_EQ(Describe("IndexStatus"), "\"UPDATING\"");
  ExpectInUse("UpdateTable", kIndex, "Index is being updated. Table: app Index: by-a");
  ExpectInUse("DeleteTable", kPhaseName,
              "Cannot delete table while indexes are being created, updated, or deleted.");
  api_.Ok("PutItem", kPhasePut);
  Settle();
  EXPECT_EQ(Describe("IndexStatus"), "\"ACTIVE\"");
  api_.Answers("Query",
               R"({"TableName":"app","IndexName":"by-a","KeyConditionExpression":"a = :a",
                   "ExpressionAttributeValues":{":a":{"S":"x"}}})",
               R"({"Items":[{"pk":{"S":"1"},"a":{"S":"x"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(TableTransitions, DeletingTableIsListedAndDescribedUntilItsTime) {
  Create();
  api_.Ok("PutItem", kPhasePut);
  EXPECT_EQ(MemberOf(api_.Ok("DeleteTable", kPhaseName), "TableStatus"), "\"DELETING\"");
  api_.clock().Advance(kPhaseMs - 1);
  EXPECT_EQ(Describe("TableStatus"), "\"DELETING\"");
  EXPECT_EQ(Describe("IndexStatus"), "");
  api_.Answers("ListTables", "{}", R"({"TableNames":["app"]})");
  ExpectNoDataPlane();
  ExpectInUse("DeleteTable", kPhaseName, "Table is being deleted: app");
  ExpectInUse("UpdateTable", kPhaseRaise, "Table is being deleted: app");
  api_.Fails("CreateTable", kPhaseTable, "ResourceInUseException", "Table already exists: app");
  api_.clock().Advance(1);
  api_.Fails("DescribeTable", kPhaseName, "ResourceNotFoundException",
             "Requested resource not found: Table: app not found");
}

TEST_F(TableTransitions, ListingForgetsATableThatIsGone) {
  Create();
  api_.Ok("DeleteTable", kPhaseName);
  Settle();
  api_.Answers("ListTables", "{}", R"({"TableNames":[]})");
}

TEST_F(TableTransitions, LastEvaluatedTableNameNeverPromisesADeletedTable) {
  constexpr char kEarlier[] = R"({"TableName":"aaa","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
  api_.Ok("CreateTable", kEarlier);
  Create();
  api_.Answers("ListTables", R"({"Limit":1})",
               R"({"TableNames":["aaa"],"LastEvaluatedTableName":"aaa"})");
  api_.Ok("DeleteTable", kPhaseName);
  Settle();
  api_.Answers("ListTables", R"({"Limit":1})", R"({"TableNames":["aaa"]})");
}

TEST_F(TableTransitions, NameIsFreeWhenTheTableIsGone) {
  Create();
  api_.Ok("PutItem", kPhasePut);
  api_.Ok("DeleteTable", kPhaseName);
  Settle();
  Create();
  api_.Answers("Scan", kPhaseName, R"({"Items":[],"Count":0,"ScannedCount":0})");
}

TEST_F(TableTransitions, DecreasesAreForgottenAtMidnightUtc) {
  Create();
  api_.Ok("UpdateTable", R"({"TableName":"app","ProvisionedThroughput":
    {"ReadCapacityUnits":1,"WriteCapacityUnits":1}})");
  Settle();
  EXPECT_EQ(Describe("NumberOfDecreasesToday"), "1");
  api_.clock().Advance(24 * 60 * 60 * 1000);
  EXPECT_EQ(Describe("NumberOfDecreasesToday"), "0");
}

TEST_F(TableTransitions, ManyThreadsSettleATableOnce) {
  constexpr int kThreads = 8;
  for (int round = 0; round < 20; ++round) {
    api_.Ok("CreateTable", kPhaseTable);
    Settle();
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this] { api_.Ok("PutItem", kPhasePut); });
    }
    for (std::thread& thread : threads) thread.join();
    api_.Ok("UpdateTable", kPhaseRaise);
    Settle();
    threads.clear();
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this] { api_.Ok("PutItem", kPhasePut); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(Describe("ItemCount"), "1");
    EXPECT_EQ(Describe("ReadCapacityUnits"), "9");
    api_.Ok("DeleteTable", kPhaseName);
    Settle();
  }
}

// As -delayTransientStatuses of DynamoDB Local: only the phases of added and deleted indexes last.
TEST(IndexTransitions, MayLastLongerThanTheOthers) {
  Api api({.index_transition_ms = kPhaseMs});
  const auto status = [&](std::string_view name) {
    const std::string body = api.Ok("DescribeTable", kPhaseName);
    const std::string member = "\"" + std::string(name) + "\":\"";
    const std::size_t at = body.find(member);
    if (at == body.npos) return std::string("none");
    const std::size_t begin = at + member.size();
    return body.substr(begin, body.find('"', begin) - begin);
  };
  api.Ok("CreateTable", kPhaseTable);
  EXPECT_EQ(status("TableStatus"), "ACTIVE");
  api.Ok("UpdateTable", kPhaseRaise);
  EXPECT_EQ(status("TableStatus"), "ACTIVE");
  api.Ok("UpdateTable",
         R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-a"}}]})");
  EXPECT_EQ(status("TableStatus") + " " + status("IndexStatus"), "UPDATING DELETING");
  api.Ok("PutItem", kPhasePut);
  api.clock().Advance(kPhaseMs);
  EXPECT_EQ(status("TableStatus") + " " + status("IndexStatus"), "ACTIVE none");
  api.Ok("UpdateTable", R"({"TableName":"app",
      "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],
      "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-a",
        "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
        "ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}}]})");
  EXPECT_EQ(status("TableStatus") + " " + status("IndexStatus"), "UPDATING CREATING");
  api.clock().Advance(kPhaseMs);
  EXPECT_EQ(status("TableStatus") + " " + status("IndexStatus"), "ACTIVE CREATING");
  api.clock().Advance(kPhaseMs);
  EXPECT_EQ(status("TableStatus") + " " + status("IndexStatus"), "ACTIVE ACTIVE");
  api.Ok("DeleteTable", kPhaseName);
  api.Fails("DescribeTable", kPhaseName, "ResourceNotFoundException",
            "Requested resource not found: Table: app not found");
}

}  // namespace
}  // namespace hashrange
