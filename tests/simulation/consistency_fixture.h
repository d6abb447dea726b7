// A table "app" whose reads may lag, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "operation/call/caller.h"
#include "simulation/consistency.h"
#include "support/api.h"

namespace hashrange {

inline constexpr AccountName kAccount{kDefaultAccount, "us-east-1"};
inline constexpr DelayRange kOneSecond{1000, 1000};

inline constexpr char kLaggingTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
    {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
    {"AttributeName":"l","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}],
  "LocalSecondaryIndexes":[{"IndexName":"byL","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                 {"AttributeName":"l","KeyType":"RANGE"}]}]})";

class ConsistencyTest : public ::testing::Test {
 protected:
  ConsistencyTest() { api_.Ok("CreateTable", kLaggingTable); }

  bool Set(const LagSettings& settings) { return consistency_.Set(kAccount, "app", settings); }
  void Put(const char* sk) {
    api_.Ok("PutItem", std::string(R"({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":")")
                           .append(sk)
                           .append(R"("},"g":{"S":"g"},"l":{"S":"l"}}})"));
  }
  void Delete(const char* sk) {
    api_.Ok("DeleteItem", std::string(R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":")")
                              .append(sk)
                              .append(R"("}}})"));
  }
  // Returns how many items a count by the index sees.
  int CountByIndex(const char* index = "byG") {
    const std::string answer =
        api_.Ok("Scan", std::string(R"({"TableName":"app","Select":"COUNT","IndexName":")")
                            .append(index)
                            .append("\"}"));
    return std::stoi(answer.substr(answer.find(':') + 1));
  }

  Api api_;
  Consistency consistency_{api_.engine()};
};

}  // namespace hashrange
