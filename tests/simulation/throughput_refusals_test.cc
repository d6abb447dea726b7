// Tests how each operation is refused when the throughput is exhausted, by whole bodies.
#include <gtest/gtest.h>

#include <string>

#include "simulation/throughput_fixture.h"

namespace hashrange {
namespace {

using ThroughputRefusalsTest = ThroughputTest;

TEST_F(ThroughputRefusalsTest, EveryOperationIsRefusedInItsOwnWay) {
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
  // Refused accesses have cost nothing.
  EXPECT_EQ(StateOf(0).read->units_left, 0);
  EXPECT_EQ(StateOf(0).write->units_left, 0);
}

TEST_F(ThroughputRefusalsTest, MembersOfABatchSeeEachOther) {
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

TEST_F(ThroughputRefusalsTest, OnDemandMaximumIsAThrottlingException) {
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
              kMaximumText + "\"}]}");
}

}  // namespace
}  // namespace hashrange
