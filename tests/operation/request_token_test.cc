// ClientRequestToken over time, and batches too large for one answer.
#include <gtest/gtest.h>

#include <string>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})";

class RequestToken : public testing::Test {
 protected:
  RequestToken() { api_.Ok("CreateTable", kTable); }

  std::string Add(const std::string& condition = "") {
    return R"({"ClientRequestToken":"t","TransactItems":[{"Update":{"TableName":"app",
      "Key":{"k":{"N":"1"}},"UpdateExpression":"ADD n :o",)" +
           condition + R"("ExpressionAttributeValues":{":o":{"N":"1"}}}}]})";
  }
  void ExpectSum(const std::string& sum) {
    api_.Answers("GetItem", R"({"TableName":"app","Key":{"k":{"N":"1"}}})",
                 R"({"Item":{"k":{"N":"1"},"n":{"N":")" + sum + "\"}}}");
  }
  Api api_;
};

TEST_F(RequestToken, IsKnownForTenMinutes) {
  api_.Answers("TransactWriteItems", Add(), "{}");
  api_.clock().Advance(10 * 60 * 1000 - 1);
  api_.Answers("TransactWriteItems", Add(), "{}");
  ExpectSum("1");
  api_.clock().Advance(1);
  api_.Answers("TransactWriteItems", Add(), "{}");
  ExpectSum("2");
}

TEST_F(RequestToken, OfACancelledTransactionIsUnknown) {
  const std::string conditional = Add(R"j("ConditionExpression":"attribute_exists(k)",)j");
  api_.Fails("TransactWriteItems", conditional, "TransactionCanceledException",
             "Transaction cancelled, please refer cancellation reasons for specific reasons "
             "[ConditionalCheckFailed]");
  api_.Answers("TransactWriteItems", Add(), "{}");
  api_.Fails("TransactWriteItems", conditional, "IdempotentParameterMismatchException",
             "The request uses the same client token as a previous, but non-identical request. "
             "Do not reuse a client token with different requests, unless the requests are "
             "identical");
  ExpectSum("1");
}

// 45 items of 400,000 bytes: 41 fit into 16 MB.
TEST(BatchGetItem, WhatDoesNotFitTheAnswerComesBackAsKeys) {
  Api api;
  api.Ok("CreateTable", kTable);
  const std::string filler(400'000 - 4, 'x');  // with k 1+2 and a 1
  std::string keys, unprocessed, expected;
  for (int i = 11; i < 56; ++i) {
    const std::string key = R"({"k":{"N":")" + std::to_string(i) + "\"}}";
    api.Ok("PutItem", R"({"TableName":"app","Item":{"k":{"N":")" + std::to_string(i) +
                          R"("},"a":{"S":")" + filler + "\"}}}");
    keys.append(keys.empty() ? "" : ",").append(key);
    std::string& part = i < 52 ? expected : unprocessed;
    part.append(part.empty() ? "" : ",").append(key);
  }
  api.Answers("BatchGetItem",
              R"({"RequestItems":{"app":{"Keys":[)" + keys +
                  R"(],"ProjectionExpression":"k","ConsistentRead":false}},
                  "ReturnConsumedCapacity":"TOTAL"})",
              R"({"Responses":{"app":[)" + expected + R"(]},
                  "UnprocessedKeys":{"app":{"Keys":[)" +
                  unprocessed + R"(],"ProjectionExpression":"k","ConsistentRead":false}},
                  "ConsumedCapacity":[{"TableName":"app","CapacityUnits":2009}]})");
}

}  // namespace
}  // namespace hashrange
