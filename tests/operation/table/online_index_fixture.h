// A table with items and an index; tests add indexes to it and delete them while it is in use.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/backfill/backfiller.h"
#include "support/api.h"

namespace hashrange {

inline constexpr std::int64_t kTransitionMs = 1000;

inline constexpr char kTable[] = R"({"TableName":"app",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                          {"AttributeName":"a","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
  "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
  "GlobalSecondaryIndexes":[{"IndexName":"by-a",
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
    "ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}]})";
inline constexpr char kName[] = R"({"TableName":"app"})";
inline constexpr char kRaise[] =
    R"({"TableName":"app","ProvisionedThroughput":{"ReadCapacityUnits":9,"WriteCapacityUnits":9}})";
inline constexpr char kOnDemand[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})";
inline constexpr char kProtect[] = R"({"TableName":"app","DeletionProtectionEnabled":true})";
inline constexpr char kWarm[] = R"({"TableName":"app","WarmThroughput":{"ReadUnitsPerSecond":70}})";
inline constexpr char kLimit[] =
    R"({"TableName":"app","OnDemandThroughput":{"MaxReadRequestUnits":7}})";
inline constexpr char kClass[] = R"({"TableName":"app","TableClass":"STANDARD_INFREQUENT_ACCESS"})";
inline constexpr char kStream[] = R"({"TableName":"app",
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
inline constexpr char kEncrypt[] = R"({"TableName":"app","SSESpecification":{"Enabled":true}})";

inline constexpr char kInUse[] = "Attempt to change a resource which is still in use: ";
inline constexpr char kOneAtATime[] =
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
    "table";

inline constexpr char kNoIndex[] = "The table does not have the specified index: ";
inline constexpr char kBackfilling[] = "Cannot read from backfilling global secondary index: ";

// Requests to UpdateTable that create, delete or update an index.
inline std::string Creation(const std::string& index, const std::string& attribute = "b") {
  return R"({"TableName":"app","AttributeDefinitions":[{"AttributeName":")" + attribute +
         R"(","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":")" +
         index + R"(","KeySchema":[{"AttributeName":")" + attribute +
         R"(","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":
         {"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]})";
}
inline std::string Deletion(const std::string& index) {
  return R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":")" + index +
         R"("}}]})";
}
inline std::string Throughput(const std::string& index, int units) {
  const std::string u = std::to_string(units);
  return R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":")" + index +
         R"(","ProvisionedThroughput":{"ReadCapacityUnits":)" + u + R"(,"WriteCapacityUnits":)" +
         u + R"(}}}]})";
}

class OnlineIndexFixture : public testing::Test {
 protected:
  explicit OnlineIndexFixture(std::int64_t transition_ms = kTransitionMs)
      : api_({.backfiller = &backfiller_, .transition_ms = transition_ms}) {
    api_.Ok("CreateTable", kTable);
    Settle();
    for (int i = 0; i < 3; ++i) PutItem(i);
  }
  void Settle() { api_.clock().Advance(kTransitionMs); }
  void Fill() {
    while (backfiller_.RunBatch()) {
    }
  }
  void PutItem(int i) {
    const std::string n = std::to_string(i);
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":")" + n +
                           R"("},"a":{"S":"x"},"b":{"S":"y"}}})");
  }

  // Returns "<TableStatus> <index>:<IndexStatus>[/<Backfilling>][=<ItemCount>] …" from a table's
  // description.
  std::string StatesIn(const std::string& body, bool with_counts = false) {
    std::string states = TextAfter(body, "\"TableStatus\":", 0);
    std::size_t at = 0;
    while ((at = body.find("{\"IndexName\":", at)) != std::string::npos) {
      const std::string index = body.substr(at, body.find("\"IndexArn\":", at) - at);
      states += " " + TextAfter(index, "\"IndexName\":", 0) + ":" +
                TextAfter(index, "\"IndexStatus\":", 0);
      const std::string backfilling = TextAfter(index, "\"Backfilling\":", 0);
      if (!backfilling.empty()) states += "/" + backfilling;
      if (with_counts) states += "=" + TextAfter(index, "\"ItemCount\":", 0);
      at += 1;
    }
    return states;
  }
  std::string States(bool with_counts = false) {
    return StatesIn(api_.Ok("DescribeTable", kName), with_counts);
  }
  static std::string TextAfter(const std::string& body, const std::string& name, std::size_t from) {
    const std::size_t at = body.find(name, from);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size();
    std::string text = body.substr(begin, body.find_first_of(",}", begin) - begin);
    std::erase(text, '"');
    return text;
  }
  std::string AttributesDefined() {
    const std::string body = api_.Ok("DescribeTable", kName);
    std::string names;
    const std::size_t end = body.find(']');
    for (std::size_t at = 0; (at = body.find("\"AttributeName\":", at)) < end; ++at) {
      names += TextAfter(body, "\"AttributeName\":", at);
    }
    return names;
  }
  void ExpectInUse(std::string_view operation, const std::string& json, const std::string& detail) {
    api_.Fails(operation, json, "ResourceInUseException", kInUse + detail);
  }
  std::string QueryOf(const std::string& index, const std::string& attribute = "b") {
    return R"({"TableName":"app","IndexName":")" + index + R"(","KeyConditionExpression":")" +
           attribute + R"( = :v","ExpressionAttributeValues":{":v":{"S":"y"}},"Select":"COUNT"})";
  }
  std::string ScanOf(const std::string& index) {
    return R"({"TableName":"app","IndexName":")" + index + R"(","Select":"COUNT"})";
  }
  void ExpectCount(const std::string& index, int count) {
    const std::string n = std::to_string(count);
    const std::string answer = R"({"Count":)" + n + R"(,"ScannedCount":)" + n + "}";
    api_.Answers("Query", QueryOf(index), answer);
    api_.Answers("Scan", ScanOf(index), answer);
  }
  void ExpectUnreadable(const std::string& index, const std::string& text) {
    api_.Fails("Query", QueryOf(index), "ValidationException", text + index);
    api_.Fails("Scan", ScanOf(index), "ValidationException", text + index);
    // PartiQL's text does not name an index that does not exist.
    const std::string select = R"({"Statement":"SELECT * FROM \"app\".\")" + index + R"(\""})";
    api_.Fails("ExecuteStatement", select, "ValidationException",
               text == kNoIndex ? "The table does not have the specified index" : text + index);
  }

  Api api_;
  Backfiller backfiller_{api_.engine(), {.at_once = 0, .has_thread = false}};
};

}  // namespace hashrange
