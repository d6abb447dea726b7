// Tests of throughput in force: which accesses are let in, and what they cost.
#include "simulation/throughput.h"

#include <gtest/gtest.h>

#include <string>

#include "simulation/throughput_fixture.h"

namespace hashrange {
namespace {

TEST_F(ThroughputTest, ReadsAreLetInUntilNothingIsLeft) {
  CreateProvisioned(2, 1, 1, 1);
  Get(true);
  Get(true);
  Get(false);
  api_.clock().Advance(1);
  Get(true);  // leaves a debt of nearly a unit
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

// 150 units a second for 300 s are a burst of 45,000.
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

// docs/service/10-transactions.md, section 8.
TEST_F(ThroughputTest, AReplayTakesReadUnitsAndIsNotRefused) {
  CreateProvisioned(3, 3, 1, 5);
  const char* const write = R"({"ClientRequestToken":"t","TransactItems":[
    {"Put":{"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"}}}}]})";
  api_.Answers("TransactWriteItems", write, "{}");
  for (const int left : {1, -1, -3}) {
    api_.Answers("TransactWriteItems", write, "{}");
    EXPECT_EQ(StateOf(0).read->units_left, left);
    EXPECT_EQ(StateOf(0).write->units_left, 1);
  }
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

TEST_F(ThroughputTest, ExhaustedIndexThrottlesTheTablesWrites) {
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
  // An item that is not in the index can still be written.
  api_.Ok("PutItem", PutJson("3"));
  api_.Ok("DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"3"}}})");
  // An update that puts an item into the index leaves a debt.
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

TEST_F(ThroughputTest, OneDirectionMayBeLimitedAlone) {
  CreateOnDemand(R"({"MaxWriteRequestUnits":1})", "");
  api_.Ok("PutItem", PutJson("1"));
  Refused("PutItem", PutJson("2"),
          MaximumExceeded("TableWriteMaxOnDemandThroughputExceeded", kTableArn));
  for (int i = 0; i < 100; ++i) api_.Ok("Scan", R"({"TableName":"app"})");
  EXPECT_FALSE(StateOf(0).read);
}

// −1 removes a maximum. The table has it as its maximum while it changes its billing mode.
TEST_F(ThroughputTest, AMaximumOfMinusOneIsNoMaximum) {
  GateChain gates;
  Api api({.gate = &gates.slot(), .transition_ms = 1000});
  Throughput throughput(api.engine(), gates);
  api.Ok("CreateTable",
         TableJson(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(1, 1),
                   R"("ProvisionedThroughput":)" + Units(1, 1)));
  api.clock().Advance(1001);
  EXPECT_TRUE(throughput.Enforce({}, true).ok());
  api.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
                            "OnDemandThroughput":)" +
                            MaxUnits(-1, 5) + "}");
  const std::string described = api.Ok("DescribeTable", R"({"TableName":"app"})");
  EXPECT_NE(described.find(R"("MaxReadRequestUnits":-1)"), described.npos) << described;
  for (int i = 0; i < 100; ++i) api.Ok("Scan", R"({"TableName":"app"})");
  const TableRef table = api.engine().catalog().Find({kDefaultAccount, "us-east-1"}, "app");
  const ResourceState state = throughput.StateOf(*table).at(0);
  EXPECT_FALSE(state.read);
  EXPECT_EQ(state.write->units_per_second, 5);
}

TEST_F(ThroughputTest, TimeThatPassesAgainIsNotCreditedAgain) {
  CreateProvisioned(1, 1, 1, 1);
  api_.clock().Advance(9000);
  EXPECT_EQ(StateOf(0).read->units_left, 10);
  for (int i = 0; i < 10; ++i) Get(true);
  Get(false);
  api_.clock().Advance(-5000);
  Get(false);
  api_.clock().Advance(5000);
  Get(false);
  api_.clock().Advance(1000);
  Get(true);
}

TEST_F(ThroughputTest, BucketsFollowTheTable) {
  CreateProvisioned(1, 1, 1, 1);
  Get(true);
  Get(false);
  api_.clock().Advance(10'000);
  api_.Ok("UpdateTable", R"({"TableName":"app","ProvisionedThroughput":)" + Units(5, 1) + "}");
  api_.clock().Advance(10'000);
  // The bucket filled for ten seconds at one unit and for ten at five.
  EXPECT_EQ(StateOf(0).read->units_left, 10 + 50);
  EXPECT_EQ(StateOf(0).read->units_per_second, 5);
  EXPECT_EQ(StateOf(0).write->units_left, 1 + 20);
  api_.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})");
  EXPECT_FALSE(StateOf(0).read);
  for (int i = 0; i < 100; ++i) Get(true);
  api_.Ok("UpdateTable", R"({"TableName":"app","OnDemandThroughput":)" + MaxUnits(7, 7) + "}");
  EXPECT_EQ(StateOf(0).read->units_per_second, 7);
}

TEST_F(ThroughputTest, RulesAreBounded) {
  for (std::size_t i = 0; i < Throughput::kMaxRules; ++i) {
    ASSERT_TRUE(throughput_.Enforce({.table = "t" + std::to_string(i)}, true).ok());
  }
  const Status refused = throughput_.Enforce({.table = "one more"}, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceededException);
  EXPECT_EQ(throughput_.Rules().size(), Throughput::kMaxRules);
  EXPECT_TRUE(throughput_.Enforce({.table = "t7"}, false).ok());  // replaces a rule
  EXPECT_TRUE(throughput_.Enforce({}, true).ok());                // replaces all rules
  EXPECT_EQ(throughput_.Rules().size(), 1u);
}

TEST_F(ThroughputTest, LimitsAreInForceWhereTheLatestRuleSaysSo) {
  CreateProvisioned(1, 1, 1, 1);
  Get(true);
  Get(false);
  EXPECT_TRUE(throughput_.Enforce({.table = "app"}, false).ok());
  for (int i = 0; i < 5; ++i) Get(true);
  EXPECT_EQ(throughput_.Rules().size(), 2u);
  EXPECT_NE(gates_.slot().load(), nullptr);
  EXPECT_TRUE(throughput_.Enforce({.table = "other"}, true).ok());
  for (int i = 0; i < 5; ++i) Get(true);
  EXPECT_TRUE(
      throughput_.Enforce({.account_id = std::string(kDefaultAccount), .table = "app"}, true).ok());
  EXPECT_EQ(StateOf(0).read->units_left, 1);
  Get(true);
  Get(false);
  // A repeated rule changes nothing.
  EXPECT_TRUE(
      throughput_.Enforce({.account_id = std::string(kDefaultAccount), .table = "app"}, true).ok());
  Get(false);
  EXPECT_TRUE(throughput_.Enforce({.region = "eu-west-1"}, false).ok());
  Get(false);
  EXPECT_TRUE(throughput_.Enforce({}, false).ok());
  EXPECT_EQ(gates_.slot().load(), nullptr);
  EXPECT_TRUE(throughput_.Rules().empty());
  Get(true);
  EXPECT_EQ(StateOf(0).index, "");
  EXPECT_FALSE(StateOf(0).read);
}

TEST_F(ThroughputTest, RecreatedTableBeginsWithABucketOfItsOwn) {
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
  EXPECT_TRUE(throughput_.Enforce({}, true).ok());
  EXPECT_EQ(StateOf(0).read->units_left, 1);
}

TEST_F(ThroughputTest, AccessThatWasLetInBeforeLeavesWithoutABucket) {
  CreateProvisioned(1, 1, 1, 1);
  const TableRef table = Table();
  Call call;
  call.operation = "GetItem";
  Access access;
  access.table = table.get();
  EXPECT_FALSE(throughput_.Enter(call, access));
  throughput_.Clear();
  throughput_.Leave(call, access, {.units = 1});
  EXPECT_FALSE(throughput_.Enter(call, access));
}

}  // namespace
}  // namespace hashrange
