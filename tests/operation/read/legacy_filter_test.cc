// Limits of legacy filters whose requests are too long for a golden file.
#include <gtest/gtest.h>

#include <string>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kFilteredTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})";

std::string ScanWithConditions(int count) {
  std::string json = R"({"TableName":"app","ScanFilter":{)";
  for (int i = 0; i < count; ++i) {
    json.append(i == 0 ? "" : ",").append("\"a").append(std::to_string(i));
    json.append(R"(":{"ComparisonOperator":"NULL"})");
  }
  return json.append("}}");
}

TEST(LegacyFilter, HasAtMost300Conditions) {
  Api api;
  api.Ok("CreateTable", kFilteredTable);
  api.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"u"}}})");
  api.Answers("Scan", ScanWithConditions(300),
              R"({"Items":[{"PK":{"S":"u"}}],"Count":1,"ScannedCount":1})");
  api.Fails("Scan", ScanWithConditions(301), "ValidationException",
            "The filter contains too many conditions; condition count: 301");
}

}  // namespace
}  // namespace hashrange
