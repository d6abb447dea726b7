// Throughput in force, operation by operation: what is let in, and every refusal's whole body.
#include "simulation/throughput.h"

#include <gtest/gtest.h>

#include <string>

#include "operation/caller.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kTableArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
constexpr char kTableText[] =
    "The level of configured provisioned throughput for the table was exceeded. Consider "
    "increasing your provisioning level with the UpdateTable API.";
constexpr char kIndexText[] =
    "The level of configured provisioned throughput for one or more global secondary indexes of "
    "the table was exceeded. Consider increasing your provisioning level for the "
    "under-provisioned global secondary indexes with the UpdateTable API";
constexpr char kOnDemandText[] =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";

std::string Units(int read, int write) {
  return R"({"ReadCapacityUnits":)" + std::to_string(read) + R"(,"WriteCapacityUnits":)" +
         std::to_string(write) + "}";
}

std::string MaxUnits(int read, int write) {
  return R"({"MaxReadRequestUnits":)" + std::to_string(read) + R"(,"MaxWriteRequestUnits":)" +
         std::to_string(write) + "}";
}

// A table "app" of string keys pk and sk, with a global index "byG" by g and a local one "byL"
// by l; `settings` and `index_settings` are members to add.
std::string TableJson(const std::string& settings, const std::string& index_settings) {
  return R"({"TableName":"app",)" + settings + R"(,
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
      {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
      {"AttributeName":"l","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
    "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
      "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}])" +
         (index_settings.empty() ? "" : "," + index_settings) + R"(}],
    "LocalSecondaryIndexes":[{"IndexName":"byL","Projection":{"ProjectionType":"ALL"},
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                   {"AttributeName":"l","KeyType":"RANGE"}]}]})";
}

std::string Body(const char* type, const char* text, const char* member, const char* reason,
                 const std::string& resource) {
  return std::string(R"({"__type":")") + type + R"(","message":")" + text + R"(",")" + member +
         R"(":[{"reason":")" + reason + R"(","resource":")" + resource + R"("}]})";
}
std::string Exceeded(const char* text, const char* reason, const std::string& resource) {
  return Body("com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", text,
              "ThrottlingReasons", reason, resource);
}
std::string MaximumExceeded(const char* reason, const std::string& resource) {
  return Body("com.amazon.coral.availability#ThrottlingException", kOnDemandText,
              "throttlingReasons", reason, resource);
}

const std::string kIndexArn = std::string(kTableArn) + "/index/byG";

class ThroughputTest : public ::testing::Test {
 protected:
  ThroughputTest() { slot_ = &throughput_; }

  void CreateProvisioned(int read, int write, int index_read, int index_write) {
    api_.Ok(
        "CreateTable",
        TableJson(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(read, write),
                  R"("ProvisionedThroughput":)" + Units(index_read, index_write)));
    throughput_.Enforce({}, true);
  }
  void CreateOnDemand(const std::string& maximum, const std::string& index_maximum) {
    const std::string member = R"("OnDemandThroughput":)";
    api_.Ok("CreateTable", TableJson(R"("BillingMode":"PAY_PER_REQUEST")" +
                                         (maximum.empty() ? "" : "," + member + maximum),
                                     index_maximum.empty() ? "" : member + index_maximum));
    throughput_.Enforce({}, true);
  }
  static std::string PutJson(const std::string& sk, const std::string& more = "") {
    return R"({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":")" + sk + "\"}" + more + "}}";
  }
  void Refused(const char* operation, const std::string& request, const std::string& body) {
    const Api::Reply reply = api_.Call(operation, request);
    EXPECT_EQ(reply.http_status, 400) << operation << " " << request;
    EXPECT_EQ(reply.body, body) << operation << " " << request;
  }
  void Get(bool is_let_in, bool consistent = true) {
    const std::string request =
        std::string(R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"none"}},)") +
        R"("ConsistentRead":)" + (consistent ? "true}" : "false}");
    if (is_let_in) {
      api_.Answers("GetItem", request, "{}");
    } else {
      Refused("GetItem", request,
              Exceeded(kTableText, "TableReadProvisionedThroughputExceeded", kTableArn));
    }
  }
  ResourceState StateOf(std::size_t i) {
    const TableRef table = api_.engine().catalog().Find({kDefaultAccount, "us-east-1"}, "app");
    const auto states = throughput_.StateOf(*table);
    return i < states.size() ? states[i] : ResourceState{};
  }

  GateSlot slot_{nullptr};
  Api api_{{.gate = &slot_}};
  Throughput throughput_{api_.engine()};
};

TEST_F(ThroughputTest, ReadsAreLetInUntilNothingIsLeft) {
  CreateProvisioned(2, 1, 1, 1);
  Get(true);
  Get(true);
  Get(false);
  api_.clock().Advance(1);
  Get(true);  // a debt of nearly a unit
  api_.clock().Advance(499);
  Get(false);
  api_.clock().Advance(1);
  Get(true);
}

TEST_F(ThroughputTest, EventuallyConsistentReadsTakeHalf) {
  CreateProvisioned(1, 1, 1, 1);
  Get(true, false);
  Get(true, false);
  Get(false, false);
}

// 150 units for 300 s: a burst of 45,000.
TEST_F(ThroughputTest, BurstIsWhatWasUnusedOfFiveMinutes) {
  CreateProvisioned(150, 1, 1, 1);
  api_.clock().Advance(300'000);
  EXPECT_EQ(StateOf(0).read->units_left, 45'000);
  for (int i = 0; i < 45'000; ++i) {
    const Api::Reply reply = api_.Call(
        "GetItem",
        R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},"ConsistentRead":true})");
    ASSERT_EQ(reply.http_status, 200) << i;
  }
  Get(false);
  EXPECT_EQ(StateOf(0).read->units_left, 0);
  EXPECT_EQ(StateOf(0).read->throttled, 1);
}

TEST_F(ThroughputTest, LargeReadLeavesADebt) {
  CreateProvisioned(1, 1000, 1, 1000);
  api_.Ok("PutItem", PutJson("1", R"(,"v":{"S":")" + std::string(39'000, 'x') + "\"}"));
  const char* const scan = R"({"TableName":"app","ConsistentRead":true,"Select":"COUNT"})";
  api_.Answers("Scan", scan, R"({"Count":1,"ScannedCount":1})");
  EXPECT_EQ(StateOf(0).read->units_left, 1 - 10);
  Refused("Scan", scan, Exceeded(kTableText, "TableReadProvisionedThroughputExceeded", kTableArn));
  api_.clock().Advance(9000);
  Refused("Scan", scan, Exceeded(kTableText, "TableReadProvisionedThroughputExceeded", kTableArn));
  api_.clock().Advance(1);
  api_.Answers("Scan", scan, R"({"Count":1,"ScannedCount":1})");
}

TEST_F(ThroughputTest, EveryOperationIsRefusedInItsOwnWay) {
  CreateProvisioned(1, 1, 1, 1);
  api_.Ok("PutItem", PutJson("1"));
  Get(true);
  const std::string write =
      Exceeded(kTableText, "TableWriteProvisionedThroughputExceeded", kTableArn);
  const std::string read =
      Exceeded(kTableText, "TableReadProvisionedThroughputExceeded", kTableArn);
  const std::string key = R"({"pk":{"S":"a"},"sk":{"S":"1"}})";
  const std::string of_key = R"({"TableName":"app","Key":)" + key + "}";
  Refused("PutItem", PutJson("2"), write);
  Refused("UpdateItem", of_key, write);
  Refused("DeleteItem", of_key, write);
  Refused("BatchWriteItem", R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":)" + key + "}}]}}",
          write);
  Refused("ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE pk = 'a' AND sk = '1'"})",
          write);
  Refused("GetItem", of_key, read);
  Refused("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + key + "]}}}", read);
  Refused("Query",
          R"({"TableName":"app","KeyConditionExpression":"pk = :a",
              "ExpressionAttributeValues":{":a":{"S":"a"}}})",
          read);
  Refused("Query",
          R"({"TableName":"app","IndexName":"byL","KeyConditionExpression":"pk = :a",
              "ExpressionAttributeValues":{":a":{"S":"a"}}})",
          read);
  Refused("Scan", R"({"TableName":"app"})", read);
  Refused("ExecuteStatement", R"({"Statement":"SELECT * FROM app"})", read);
  api_.Answers("BatchExecuteStatement",
               R"({"Statements":[{"Statement":"SELECT * FROM app WHERE pk = 'a' AND sk = '1'"}]})",
               std::string(R"({"Responses":[{"TableName":"app","Error":{"Message":")") +
                   kTableText + R"(","Code":"ProvisionedThroughputExceeded"}}]})");
  const std::string cancelled =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons )";
  Refused("TransactGetItems", R"({"TransactItems":[{"Get":)" + of_key + "}]}",
          cancelled + R"([ProvisionedThroughputExceeded]","CancellationReasons":[{"Code":)" +
              R"("ProvisionedThroughputExceeded","Message":")" + kTableText + "\"}]}");
  Refused("TransactWriteItems",
          R"({"TransactItems":[{"Delete":)" + of_key +
              R"j(},{"ConditionCheck":{"TableName":"app","Key":{"pk":{"S":"b"},"sk":{"S":"b"}},
                  "ConditionExpression":"attribute_not_exists(pk)"}}]})j",
          cancelled + R"([ProvisionedThroughputExceeded, ProvisionedThroughputExceeded]",)" +
              R"("CancellationReasons":[{"Code":"ProvisionedThroughputExceeded","Message":")" +
              kTableText + R"("},{"Code":"ProvisionedThroughputExceeded","Message":")" +
              kTableText + "\"}]}");
  // Nothing that was refused has cost anything.
  EXPECT_EQ(StateOf(0).read->units_left, 0);
  EXPECT_EQ(StateOf(0).write->units_left, 0);
}

TEST_F(ThroughputTest, MembersOfABatchSeeEachOther) {
  CreateProvisioned(1, 2, 1, 5);
  api_.Answers(
      "BatchWriteItem",
      R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"1"}}}},
          {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"2"}}}},
          {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"3"}}}}]}})",
      R"({"UnprocessedItems":{"app":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"3"}}}}]}})");
  api_.Answers("BatchGetItem",
               R"({"RequestItems":{"app":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"1"}},
                   {"pk":{"S":"a"},"sk":{"S":"2"}},{"pk":{"S":"a"},"sk":{"S":"3"}}]}}})",
               R"({"Responses":{"app":[{"pk":{"S":"a"},"sk":{"S":"1"}},
                                       {"pk":{"S":"a"},"sk":{"S":"2"}}]},
                   "UnprocessedKeys":{"app":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"3"}}]}}})");
}

TEST_F(ThroughputTest, TransactionsTakeTwice) {
  CreateProvisioned(4, 4, 1, 5);
  const char* const write = R"j({"TransactItems":[
    {"Put":{"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"}}}},
    {"ConditionCheck":{"TableName":"app","Key":{"pk":{"S":"b"},"sk":{"S":"b"}},
      "ConditionExpression":"attribute_not_exists(pk)"}}]})j";
  api_.Answers("TransactWriteItems", write, "{}");
  EXPECT_EQ(StateOf(0).write->units_left, 0);
  EXPECT_EQ(StateOf(1).write->units_left, 4);
  api_.Ok("TransactGetItems",
          R"({"TransactItems":[{"Get":{"TableName":"app",
              "Key":{"pk":{"S":"a"},"sk":{"S":"1"}}}}]})");
  EXPECT_EQ(StateOf(0).read->units_left, 2);
}

TEST_F(ThroughputTest, FailedConditionIsCharged) {
  CreateProvisioned(1, 3, 1, 1);
  api_.Ok("PutItem", PutJson("1"));
  api_.Fails("PutItem",
             R"j({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":"1"}},
                 "ConditionExpression":"attribute_not_exists(pk)"})j",
             "ConditionalCheckFailedException", "The conditional request failed");
  EXPECT_EQ(StateOf(0).write->units_left, 1);
}

TEST_F(ThroughputTest, GlobalIndexHasReadsOfItsOwn) {
  CreateProvisioned(10, 10, 1, 10);
  const char* const query = R"({"TableName":"app","IndexName":"byG","Select":"COUNT",
    "KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"g"}}})";
  api_.Answers("Query", query, R"({"Count":0,"ScannedCount":0})");
  api_.Answers("Query", query, R"({"Count":0,"ScannedCount":0})");
  Refused("Query", query,
          Exceeded(kIndexText, "IndexReadProvisionedThroughputExceeded", kIndexArn));
  EXPECT_EQ(StateOf(0).read->units_left, 10);
  Get(true);
}

TEST_F(ThroughputTest, IndexThatAbsorbsNothingThrottlesTheTablesWrites) {
  CreateProvisioned(10, 10, 1, 1);
  api_.Ok("PutItem", PutJson("1", R"(,"g":{"S":"g"})"));
  EXPECT_EQ(StateOf(1).write->units_left, 0);
  const std::string refusal =
      Exceeded(kIndexText, "IndexWriteProvisionedThroughputExceeded", kIndexArn);
  const char* const of_member = R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})";
  Refused("PutItem", PutJson("2", R"(,"g":{"S":"g"})"), refusal);
  Refused("UpdateItem", of_member, refusal);
  Refused("DeleteItem", of_member, refusal);
  Refused("BatchWriteItem",
          R"({"RequestItems":{"app":[{"PutRequest":{"Item":
              {"pk":{"S":"b"},"sk":{"S":"1"},"g":{"S":"g"}}}}]}})",
          refusal);
  // What is not in the index goes on.
  api_.Ok("PutItem", PutJson("3"));
  api_.Ok("DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"3"}}})");
  // An update that brings an item there leaves a debt.
  api_.Ok("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"4"}},
    "UpdateExpression":"SET g = :g","ExpressionAttributeValues":{":g":{"S":"g"}}})");
  EXPECT_EQ(StateOf(1).write->units_left, -1);
  EXPECT_EQ(StateOf(1).write->throttled, 4);
  EXPECT_EQ(StateOf(0).write->units_left, 10 - 4);
  EXPECT_EQ(StateOf(0).write->throttled, 0);
  api_.clock().Advance(1001);
  api_.Ok("PutItem", PutJson("2", R"(,"g":{"S":"g"})"));
}

TEST_F(ThroughputTest, OnDemandWithoutMaximumIsUnlimited) {
  CreateOnDemand("", "");
  for (int i = 0; i < 1000; ++i) api_.Ok("PutItem", PutJson("1", R"(,"g":{"S":"g"})"));
  EXPECT_FALSE(StateOf(0).read);
  EXPECT_FALSE(StateOf(0).write);
  EXPECT_FALSE(StateOf(1).write);
}

TEST_F(ThroughputTest, OnDemandMaximumIsAThrottlingException) {
  CreateOnDemand(MaxUnits(1, 2), MaxUnits(1, 1));
  api_.Ok("PutItem", PutJson("1", R"(,"g":{"S":"g"})"));
  Refused("PutItem", PutJson("2", R"(,"g":{"S":"g"})"),
          MaximumExceeded("IndexWriteMaxOnDemandThroughputExceeded", kIndexArn));
  api_.Ok("PutItem", PutJson("2"));
  Refused("PutItem", PutJson("3"),
          MaximumExceeded("TableWriteMaxOnDemandThroughputExceeded", kTableArn));
  const char* const scan = R"({"TableName":"app","ConsistentRead":true,"Select":"COUNT"})";
  api_.Ok("Scan", scan);
  Refused("Scan", scan, MaximumExceeded("TableReadMaxOnDemandThroughputExceeded", kTableArn));
  const char* const index_scan = R"({"TableName":"app","IndexName":"byG","Select":"COUNT"})";
  api_.Ok("Scan", index_scan);
  api_.Ok("Scan", index_scan);
  Refused("Scan", index_scan, MaximumExceeded("IndexReadMaxOnDemandThroughputExceeded", kIndexArn));
  Refused("TransactGetItems",
          R"({"TransactItems":[{"Get":{"TableName":"app",
              "Key":{"pk":{"S":"a"},"sk":{"S":"1"}}}}]})",
          std::string(R"({"__type":"com.amazonaws.dynamodb.v20120810#)") +
              R"(TransactionCanceledException","Message":"Transaction cancelled, please refer )"
              R"(cancellation reasons for specific reasons [ThrottlingError]",)"
              R"("CancellationReasons":[{"Code":"ThrottlingError","Message":")" +
              kOnDemandText + "\"}]}");
}

TEST_F(ThroughputTest, OneDirectionMayBeLimitedAlone) {
  CreateOnDemand(R"({"MaxWriteRequestUnits":1})", "");
  api_.Ok("PutItem", PutJson("1"));
  Refused("PutItem", PutJson("2"),
          MaximumExceeded("TableWriteMaxOnDemandThroughputExceeded", kTableArn));
  for (int i = 0; i < 100; ++i) api_.Ok("Scan", R"({"TableName":"app"})");
  EXPECT_FALSE(StateOf(0).read);
}

TEST_F(ThroughputTest, BucketsFollowTheTable) {
  CreateProvisioned(1, 1, 1, 1);
  Get(true);
  Get(false);
  api_.clock().Advance(10'000);
  api_.Ok("UpdateTable", R"({"TableName":"app","ProvisionedThroughput":)" + Units(5, 1) + "}");
  api_.clock().Advance(10'000);
  // Ten seconds at one unit, ten at five.
  EXPECT_EQ(StateOf(0).read->units_left, 10 + 50);
  EXPECT_EQ(StateOf(0).read->units_per_second, 5);
  EXPECT_EQ(StateOf(0).write->units_left, 1 + 20);
  api_.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})");
  EXPECT_FALSE(StateOf(0).read);
  for (int i = 0; i < 100; ++i) Get(true);
  api_.Ok("UpdateTable", R"({"TableName":"app","OnDemandThroughput":)" + MaxUnits(7, 7) + "}");
  EXPECT_EQ(StateOf(0).read->units_per_second, 7);
}

TEST_F(ThroughputTest, LimitsAreInForceWhereTheLatestRuleSaysSo) {
  CreateProvisioned(1, 1, 1, 1);
  Get(true);
  Get(false);
  throughput_.Enforce({.table = "app"}, false);
  for (int i = 0; i < 5; ++i) Get(true);
  EXPECT_EQ(throughput_.Rules().size(), 2u);
  EXPECT_TRUE(throughput_.IsEnforcedAnywhere());
  throughput_.Enforce({.table = "other"}, true);
  for (int i = 0; i < 5; ++i) Get(true);
  throughput_.Enforce({.account_id = std::string(kDefaultAccount), .table = "app"}, true);
  EXPECT_EQ(StateOf(0).read->units_left, 1);
  Get(true);
  Get(false);
  // Said again, it changes nothing.
  throughput_.Enforce({.account_id = std::string(kDefaultAccount), .table = "app"}, true);
  Get(false);
  throughput_.Enforce({.region = "eu-west-1"}, false);
  Get(false);
  throughput_.Enforce({}, false);
  EXPECT_FALSE(throughput_.IsEnforcedAnywhere());
  EXPECT_TRUE(throughput_.Rules().empty());
  Get(true);
  EXPECT_EQ(StateOf(0).index, "");
  EXPECT_FALSE(StateOf(0).read);
}

TEST_F(ThroughputTest, AnewATableBeginsWithItsOwnBucket) {
  CreateProvisioned(1, 1, 1, 1);
  Get(true);
  Get(false);
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.clock().Advance(20'000);
  CreateProvisioned(1, 1, 1, 1);
  EXPECT_EQ(StateOf(0).read->units_left, 1);
  api_.clock().Advance(5000);
  EXPECT_EQ(StateOf(0).read->units_left, 6);
  Get(true);
  throughput_.Clear();
  for (int i = 0; i < 10; ++i) Get(true);
  throughput_.Enforce({}, true);
  EXPECT_EQ(StateOf(0).read->units_left, 1);
}

TEST_F(ThroughputTest, AccessThatWasLetInBeforeLeavesWithoutABucket) {
  CreateProvisioned(1, 1, 1, 1);
  const TableRef table = api_.engine().catalog().Find({kDefaultAccount, "us-east-1"}, "app");
  Call call{.operation = "GetItem"};
  const Access access{.table = table.get()};
  EXPECT_FALSE(throughput_.Enter(call, access));
  throughput_.Clear();
  throughput_.Leave(call, access, {.units = 1});
  EXPECT_FALSE(throughput_.Enter(call, access));
}

}  // namespace
}  // namespace hashrange
