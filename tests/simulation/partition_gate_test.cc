// Tests of modelled partitions behind the gate: who is throttled and how, and what is only counted.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "simulation/partition_gate_fixture.h"

namespace hashrange {
namespace {

std::string Throttled(const char* text, const char* reason, const std::string& resource) {
  return Body("com.amazon.coral.availability#ThrottlingException", text, "throttlingReasons",
              reason, resource);
}
std::string TableWriteThrottled() {
  return Throttled(kHotText, "TableWriteKeyRangeThroughputExceeded", kTableArn);
}

TEST_F(PartitionGateTest, AHotKeyIsThrottledByItsPartition) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
  EXPECT_EQ(refusal, TableWriteThrottled());
  // A key of another partition is not.
  const PartitionMap map = Maps()[0];
  EXPECT_EQ(map.partitions.size(), 4u);
  api_.Ok("PutItem", Put("b", "1"));
  // A second gives as many units as the partition serves, but no more than it can save.
  api_.clock().Advance(1000);
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
  api_.clock().Advance(100);
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 1);
}

TEST_F(PartitionGateTest, AProvisionedTableAnswersWithItsOwnException) {
  CreateTable(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(30, 30));
  Model(PartitionMode::kEnforce);
  EXPECT_EQ(Maps()[0].partitions.size(), 6u);
  std::string refusal;
  EXPECT_EQ(
      CallUntilRefused("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})",
                       &refusal),
      5);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteKeyRangeThroughputExceeded", kTableArn));
}

// A table whose partitions could serve more is limited by what it provisions.
TEST_F(PartitionGateTest, DeclaredThroughputIsInForceToo) {
  CreateTable(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(3, 3));
  Model(PartitionMode::kEnforce);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 3);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteProvisionedThroughputExceeded", kTableArn));
  // Unused throughput of 300 seconds goes to a hot partition at once, up to what that serves.
  api_.clock().Advance(300'000);
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 5);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteKeyRangeThroughputExceeded", kTableArn));
}

TEST_F(PartitionGateTest, TheExceptionCanBeChosen) {
  CreateTable();
  PartitionRule rule = Rule(PartitionMode::kEnforce);
  rule.key_range_error = ErrorCode::kProvisionedThroughputExceededException;
  Model(rule);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteKeyRangeThroughputExceeded", kTableArn));
}

TEST_F(PartitionGateTest, TheQuotaOfTheAccountLimitsATableOnDemand) {
  CreateTable();
  PartitionRule rule = Rule(PartitionMode::kEnforce);
  rule.parameters.quota_write_units = 4;
  Model(rule);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 2);
  EXPECT_EQ(refusal, Body("com.amazonaws.dynamodb.v20120810#RequestLimitExceeded", kQuotaText,
                          "ThrottlingReasons", "TableWriteAccountLimitExceeded", kTableArn));
}

TEST_F(PartitionGateTest, EventuallyConsistentReadsGetHalfAsMuchAgain) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  const std::string get = R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}})";
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("GetItem", get + R"(,"ConsistentRead":true})", &refusal), 5);
  EXPECT_EQ(refusal, Throttled(kHotText, "TableReadKeyRangeThroughputExceeded", kTableArn));
  // The two other replicas serve eventually consistent reads still: 5 units of work each.
  EXPECT_EQ(CallUntilRefused("GetItem", get + "}", &refusal), 10);
  api_.clock().Advance(1000);
  // 15 reads of half a unit are 7.5 units: 1.5 × the 5 units of the strong reads.
  EXPECT_EQ(CallUntilRefused("GetItem", get + "}", &refusal), 15);
  EXPECT_EQ(Maps()[0].partitions[0].read_units + Maps()[0].partitions[1].read_units +
                Maps()[0].partitions[2].read_units + Maps()[0].partitions[3].read_units,
            5 + 5 + 7.5);
}

TEST_F(PartitionGateTest, AHotIndexKeyHoldsBackTheWritesThatTouchIt) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kEnforce);
  // Each item has a partition key of its own, but all have one key in the index.
  int written = 0;
  std::string refusal;
  for (; written < 100 && refusal.empty(); ++written) {
    const Api::Reply reply =
        api_.Call("PutItem", Put("k" + std::to_string(written), "1", InIndex("hot")));
    if (reply.http_status != 200) refusal = reply.body;
  }
  EXPECT_EQ(written, 6);
  EXPECT_EQ(refusal, Throttled(kHotIndexText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  // An item that is in the hot partition cannot be deleted either.
  Refused("DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"k0"},"sk":{"S":"1"}}})",
          Throttled(kHotIndexText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  // Writes beside the index, and of the other partitions of the index, are let in.
  api_.Ok("PutItem", Put("other", "1"));
  int others = 0;
  for (int i = 0; i < 16; ++i) {
    const std::string g = "cold" + std::to_string(i);
    others +=
        api_.Call("PutItem", Put("o" + std::to_string(i), "1", InIndex(g))).http_status == 200;
  }
  EXPECT_GE(others, 6);
  EXPECT_EQ(Maps()[1].throttles[0].reason, "IndexWriteKeyRangeThroughputExceeded");
}

// It is only known afterwards that an update moves the item in the index: the next write pays.
TEST_F(PartitionGateTest, AnIndexesDebtIsPaidByTheNextWrite) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kEnforce);
  const std::string to_hot = R"(,"UpdateExpression":"SET g = :g",
      "ExpressionAttributeValues":{":g":{"S":"hot"}}})";
  int updates = 0;
  for (int i = 0; i < 8; ++i) {
    updates += api_.Call("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"u)" +
                                           std::to_string(i) + R"("},"sk":{"S":"1"}})" + to_hot)
                   .http_status == 200;
  }
  EXPECT_EQ(updates, 8);
  Refused("PutItem", Put("next", "1", InIndex("hot")),
          Throttled(kHotIndexText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  // The partition is 3 units in debt, which is 300 ms.
  api_.clock().Advance(300);
  Refused("PutItem", Put("next", "1", InIndex("hot")),
          Throttled(kHotIndexText, "IndexWriteKeyRangeThroughputExceeded", kIndexArn));
  api_.clock().Advance(1);
  api_.Ok("PutItem", Put("next", "1", InIndex("hot")));
}

TEST_F(PartitionGateTest, ReadsOfAnIndexHoldBackNothingElse) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kEnforce);
  const char* const query = R"({"TableName":"app","IndexName":"byG","Select":"COUNT",
    "KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"hot"}}})";
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("Query", query, &refusal), 15);
  EXPECT_EQ(refusal, Throttled(kHotText, "IndexReadKeyRangeThroughputExceeded", kIndexArn));
  api_.Ok("PutItem", Put("a", "1", InIndex("hot")));
}

TEST_F(PartitionGateTest, WatchingLetsEverythingInAndCounts) {
  CreateTableWithoutLocalIndex();
  Model(PartitionMode::kWatch);
  for (int i = 0; i < 8; ++i) api_.Ok("PutItem", Put("a", "1", InIndex("hot")));
  const PartitionMap table = Maps()[0];
  EXPECT_EQ(table.mode, "watch");
  ASSERT_EQ(table.throttles.size(), 1u);
  EXPECT_EQ(table.throttles[0].reason, "TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(table.throttles[0].count, 3);
  // What would have been refused has taken nothing.
  EXPECT_EQ(WriteUnits(table), 5);
  EXPECT_EQ(WriteUnits(Maps()[1]), 1);
  api_.clock().Advance(100);
  api_.Ok("PutItem", Put("a", "2", InIndex("hot")));
  EXPECT_EQ(WriteUnits(Maps()[0]), 6);
}

TEST_F(PartitionGateTest, ATransactionWithAThrottledItemIsCancelled) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string refusal;
  CallUntilRefused("PutItem", Put("a", "1"), &refusal);
  const std::string write =
      R"({"TransactItems":[{"Put":)" + Put("a", "1") + R"(},{"Put":)" + Put("b", "1") + "}]}";
  Refused("TransactWriteItems", write,
          R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
          R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
          R"(reasons [ThrottlingError, None]","CancellationReasons":[{"Code":"ThrottlingError",)"
          R"("Message":")" +
              std::string(kHotText) + R"("},{"Code":"None"}]})");
  // The item that was not throttled has cost nothing.
  EXPECT_EQ(WriteUnits(Maps()[0]), 5);
  api_.clock().Advance(1000);
  api_.Answers("TransactWriteItems", write, "{}");
}

TEST_F(PartitionGateTest, ABatchDrains) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  // The puts of the items from `first` to the last of 12.
  const auto requests_from = [](int first) {
    std::string requests;
    for (int i = first; i < 12; ++i) {
      requests += std::string(i == first ? "" : ",") +
                  R"({"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":")" + std::to_string(10 + i) +
                  "\"}}}}";
    }
    return R"({"RequestItems":{"app":[)" + requests + "]}}";
  };
  const auto unprocessed = [](const std::string& answer) {
    int count = 0;
    for (std::size_t at = answer.find("PutRequest"); at != std::string::npos;
         at = answer.find("PutRequest", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(unprocessed(api_.Ok("BatchWriteItem", requests_from(0))), 7);
  // A batch of which no member is let in fails as a whole.
  Refused("BatchWriteItem", requests_from(5), TableWriteThrottled());
  api_.clock().Advance(500);
  EXPECT_EQ(unprocessed(api_.Ok("BatchWriteItem", requests_from(5))), 2);
  api_.clock().Advance(500);
  EXPECT_EQ(unprocessed(api_.Ok("BatchWriteItem", requests_from(10))), 0);
  api_.Answers("Query",
               R"({"TableName":"app","Select":"COUNT","KeyConditionExpression":"pk = :a",
                   "ExpressionAttributeValues":{":a":{"S":"a"}}})",
               R"({"Count":12,"ScannedCount":12})");
}

// Declared throughput in force and partitions that are only watched go together.
TEST_F(PartitionGateTest, DeclaredLimitsCanBeInForceWhilePartitionsAreWatched) {
  CreateProvisioned(3, 8, 8, 8);
  Model(PartitionMode::kWatch);
  std::string refusal;
  EXPECT_EQ(CallUntilRefused("PutItem", Put("a", "1"), &refusal), 8);
  EXPECT_EQ(refusal, Exceeded(kTableText, "TableWriteProvisionedThroughputExceeded", kTableArn));
  const PartitionMap map = Maps()[0];
  ASSERT_EQ(map.throttles.size(), 2u);
  EXPECT_EQ(map.throttles[0].reason, "TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(map.throttles[0].count, 3);
  EXPECT_EQ(map.throttles[1].count, 1);
  EXPECT_EQ(StateOf(0).write->throttled, 1);
}

// What is watched and what is enforced is the same: nobody knows before an update where it moves
// the item in an index, and a replay of a transaction is never refused.
TEST_F(PartitionGateTest, WatchingCountsWhatEnforcingRefuses) {
  for (const PartitionMode mode : {PartitionMode::kEnforce, PartitionMode::kWatch}) {
    CreateTableWithoutLocalIndex();
    Model(mode);
    for (int i = 0; i < 8; ++i) {
      api_.Ok("UpdateItem", R"({"TableName":"app","UpdateExpression":"SET g = :g",
        "ExpressionAttributeValues":{":g":{"S":"hot"}},"Key":{"pk":{"S":"u)" +
                                std::to_string(i) + R"("},"sk":{"S":"1"}}})");
    }
    for (int i = 0; i < 10; ++i) {
      api_.Ok("TransactWriteItems",
              R"({"ClientRequestToken":"t","TransactItems":[{"Put":)" + Put("t", "1") + "}]}");
    }
    for (const PartitionMap& map : Maps()) EXPECT_TRUE(map.throttles.empty()) << map.mode;
    api_.clock().Advance(700'000);  // the token is forgotten
    api_.Ok("DeleteTable", R"({"TableName":"app"})");
  }
}

TEST_F(PartitionGateTest, StronglyConsistentMembersOfABatchTakeWholeUnits) {
  CreateTable();
  Model(PartitionMode::kEnforce);
  std::string keys;
  for (int i = 0; i < 12; ++i) {
    keys += std::string(i == 0 ? "" : ",") + R"({"pk":{"S":"a"},"sk":{"S":")" + std::to_string(i) +
            "\"}}";
  }
  const std::string answer = api_.Ok(
      "BatchGetItem", R"({"RequestItems":{"app":{"ConsistentRead":true,"Keys":[)" + keys + "]}}}");
  std::size_t unprocessed = 0;
  for (std::size_t at = answer.find("\"sk\""); at != std::string::npos;
       at = answer.find("\"sk\"", at + 1)) {
    ++unprocessed;
  }
  EXPECT_EQ(unprocessed, 12u - 5u);
}

}  // namespace
}  // namespace hashrange
