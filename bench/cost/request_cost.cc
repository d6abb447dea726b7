// Makes a number of calls of one kind to a database in process, for a program that counts
// instructions (bench/off_is_free):
//
//   request_cost GetItem 2000
//   request_cost GetItem 2000 measured    with a measurement of everything
//   request_cost GetItem 2000 watched     with that, and with partitions that are watched
//
// The program uses only the public header, so that it can be built with the server of other
// revisions.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "hashrange/database.h"

namespace {

using hashrange::Database;

constexpr int kCollections = 100;
constexpr int kItemsInEach = 20;

constexpr char kCreateTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},)"
    R"({"AttributeName":"GSI1PK","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
    R"({"AttributeName":"SK","KeyType":"RANGE"}],"GlobalSecondaryIndexes":[{"IndexName":"GSI1",)"
    R"("Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"GSI1PK",)"
    R"("KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}]}]})";

std::string Key(int number) {
  return R"("PK":{"S":"USER#)" + std::to_string(number % kCollections) + R"("},"SK":{"S":"ORDER#)" +
         std::to_string(10 + number / kCollections % kItemsInEach) + "\"}";
}

// An item of about 300 bytes as DynamoDB counts them; `round` makes each version different.
std::string Item(int number, int round) {
  std::string json = "{" + Key(number) + R"(,"GSI1PK":{"S":"OPEN"},"round":{"N":")" +
                     std::to_string(round) + "\"}";
  for (const char* name : {"name", "street", "city"}) {
    json += std::string(",\"") + name + R"(":{"S":")" + std::string(60, 'x') + "\"}";
  }
  return json + "}";
}

std::string BatchGet(int number) {
  std::string json = R"({"RequestItems":{"app":{"Keys":[)";
  for (int i = 0; i < 10; ++i) json += (i == 0 ? "{" : ",{") + Key(number * 10 + i) + "}";
  return json + "]}}}";
}

std::string BatchWrite(int number, int round) {
  std::string json = R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":{)" + Key(number * 5 + 4);
  json += "}}}";
  for (int i = 0; i < 4; ++i) {
    json += R"(,{"PutRequest":{"Item":)" + Item(number * 5 + i, round + 1 + number) + "}}";
  }
  return json + "]}}";
}

std::string RequestJson(std::string_view operation, int number) {
  const int round = number / (kCollections * kItemsInEach) + 1;
  const std::string table = R"({"TableName":"app",)";
  if (operation == "GetItem") return table + R"("Key":{)" + Key(number) + "}}";
  if (operation == "PutItem") return table + R"("Item":)" + Item(number, round) + "}";
  if (operation == "Query") {
    return table +
           R"j("KeyConditionExpression":"PK = :p AND begins_with(SK, :s)",)j"
           R"j("ExpressionAttributeValues":{":s":{"S":"ORDER#"},":p":{"S":"USER#)j" +
           std::to_string(number % kCollections) + "\"}}}";
  }
  if (operation == "BatchGetItem") return BatchGet(number);
  if (operation == "BatchWriteItem") return BatchWrite(number, round);
  if (operation != "TransactWriteItems") return {};
  std::string json = R"({"TransactItems":[)";
  for (int i = 0; i < 4; ++i) {
    json +=
        R"({"Put":{"TableName":"app","Item":)" + Item(number * 5 + i, round + 1 + number) + "}},";
  }
  return json + R"j({"ConditionCheck":{"TableName":"app","Key":{)j" + Key(number * 5 + 4) +
         R"j(},"ConditionExpression":"attribute_exists(PK)"}}]})j";
}

int Fail(const std::string& why) {
  std::fprintf(stderr, "request_cost: %s\n", why.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string operation = argc > 1 ? argv[1] : "";
  const int count = argc > 2 ? std::atoi(argv[2]) : 0;
  if (RequestJson(operation, 0).empty()) return Fail("which operation?");
  Database database;
  std::string answer;
  if (database.Call("CreateTable", kCreateTable, answer) != 200) return Fail(answer);
  for (int i = 0; i < kCollections * kItemsInEach; ++i) {
    const std::string put = R"({"TableName":"app","Item":)" + Item(i, 0) + "}";
    if (database.Call("PutItem", put, answer) != 200) return Fail(answer);
  }
  const std::string_view mode = argc > 3 ? argv[3] : "";
  const bool is_watched = mode == "watched";
  if (is_watched && !database.Control("POST", "partitions", R"({"mode":"watch"})").ok()) {
    return Fail("no partitions can be watched");
  }
  const bool is_measured = is_watched || mode == "measured";
  if (is_measured && !database.Control("POST", "measurements", R"({"name":"all"})").ok()) {
    return Fail("no measurement can be started");
  }
  for (int i = 0; i < count; ++i) {
    if (database.Call(operation, RequestJson(operation, i), answer) != 200) return Fail(answer);
  }
  return 0;
}
