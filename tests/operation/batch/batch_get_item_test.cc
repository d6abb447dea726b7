// BatchGetItem: what does not fit the answer.
#include <gtest/gtest.h>

#include <string>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kBatchTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})";

// 45 items of 400,000 bytes: 41 fit into 16 MB.
TEST(BatchGetItem, WhatDoesNotFitTheAnswerComesBackAsKeys) {
  Api api;
  api.Ok("CreateTable", kBatchTable);
  const std::string filler(400'000 - 4, 'x');  // 4 bytes: the name k, its value (2), the name a
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
