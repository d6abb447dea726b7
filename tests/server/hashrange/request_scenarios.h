// The calls whose allocations fail in tests of this folder.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "hashrange/database.h"

namespace hashrange::test {

// The Region's name is too long to be kept without an allocation.
inline constexpr Credential kCaller{"123456789012", "ap-northeast-1-with-a-long-name"};

struct ApiCall {
  std::string operation;
  std::string json;
};

inline constexpr std::string_view kOrders =
    R"({"TableName":"orders","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
        {"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},
        {"AttributeName":"group","AttributeType":"S"},{"AttributeName":"note","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
        "GlobalSecondaryIndexes":[{"IndexName":"by-group","KeySchema":[{"AttributeName":"group","KeyType":"HASH"},
        {"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
        "LocalSecondaryIndexes":[{"IndexName":"by-note","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
        {"AttributeName":"note","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
        "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})";
inline constexpr std::string_view kUsers =
    R"({"TableName":"users","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
        {"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"group","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
        "GlobalSecondaryIndexes":[{"IndexName":"by-group","KeySchema":[{"AttributeName":"group","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"ALL"}}],"Tags":[{"Key":"team","Value":"a team with a long name"}],
        "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})";

inline std::string Order(int number, std::string_view group, std::string_view note) {
  return R"({"TableName":"orders","Item":{"pk":{"S":"customer"},"sk":{"S":"an order with the number )" +
         std::to_string(number) + R"("},"group":{"S":")" + std::string(group) +
         R"("},"note":{"S":")" + std::string(note) +
         R"("},"expires":{"N":"1900000000"},"n":{"N":"1"}}})";
}

inline constexpr std::string_view kOrderKey =
    R"({"pk":{"S":"customer"},"sk":{"S":"an order with the number 3"}})";
inline constexpr std::string_view kStreamArn =
    "arn:aws:dynamodb:ap-northeast-1-with-a-long-name:123456789012:table/";

struct Scenario {
  std::string name;
  ApiCall call;
  // The calls that the call is made of, if each of them is done or not done by itself.
  std::vector<ApiCall> parts = {};
  // What the call answers if it was done before, although it answered with an error.
  std::string repeated = "";
  // Whether a call that was done before changes nothing.
  bool is_done_once = false;
};

inline void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

// Returns the put of a batch that is the PutItem request `order`.
inline std::string Put(const std::string& order) {
  return R"({"PutRequest":{)" + order.substr(order.find(R"("Item")")) + "}";
}

// Returns a transaction that also counts, so that it is seen when it is done twice.
inline std::string WithCount(std::string transaction, const std::string& rest) {
  transaction.pop_back();  // the end of the list
  return transaction + R"x(,{"Update":{"TableName":"users","Key":{"pk":{"S":"user 7"}},
      "UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}])x" +
         rest;
}

inline std::vector<Scenario> Scenarios() {
  const std::string key = std::string(kOrderKey);
  std::vector<Scenario> all;
  all.push_back({"PutItemNew", {"PutItem", Order(50, "odd", "a note")}});
  std::string moved = Order(3, "another group", "another note");
  moved.insert(1, R"("ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES",)");
  all.push_back({"PutItemThatMovesEntries", {"PutItem", moved}});
  all.push_back(
      {"UpdateItem",
       {"UpdateItem",
        R"({"TableName":"orders","Key":)" + key +
            R"x(,"UpdateExpression":"SET #g = :g, #l = list_append(if_not_exists(#l, :e), :e) REMOVE note",
                      "ConditionExpression":"n = :one","ExpressionAttributeNames":{"#g":"group","#l":"a long name of a list"},
                      "ExpressionAttributeValues":{":g":{"S":"a group by itself"},":one":{"N":"1"},":e":{"L":[{"S":"x"}]}},
                      "ReturnValues":"ALL_NEW"})x"}});
  all.push_back(
      {"DeleteItem",
       {"DeleteItem", R"({"TableName":"orders","Key":)" + key + R"(,"ReturnValues":"ALL_OLD"})"}});
  const std::string transaction = R"({"TransactItems":[
      {"Put":)" + Order(60, "odd", "new") +
                                  R"(},
      {"Update":{"TableName":"orders","Key":)" +
                                  key + R"x(,"UpdateExpression":"SET #g = :g",
        "ExpressionAttributeNames":{"#g":"group"},"ExpressionAttributeValues":{":g":{"S":"even"}}}},
      {"Delete":{"TableName":"users","Key":{"pk":{"S":"user 5"}}}},
      {"Put":{"TableName":"users","Item":{"pk":{"S":"user 6"},"group":{"S":"second"}}}},
      {"ConditionCheck":{"TableName":"users","Key":{"pk":{"S":"user 1"}},
        "ConditionExpression":"attribute_exists(pk)"}}])x";
  all.push_back({"TransactWriteItems", {"TransactWriteItems", transaction + "}"}});
  all.push_back(
      {"TransactWriteItemsWithToken",
       {"TransactWriteItems", WithCount(transaction, R"(,"ClientRequestToken":"a token"})")},
       {},
       "",
       true});
  all.push_back({"BatchWriteItem",
                 {"BatchWriteItem", R"({"RequestItems":{"orders":[)" + Put(Order(70, "odd", "x")) +
                                        R"(,{"DeleteRequest":{"Key":)" + key + "}}]}}"},
                 {{"PutItem", Order(70, "odd", "x")},
                  {"DeleteItem", R"({"TableName":"orders","Key":)" + key + "}"}}});
  all.push_back(
      {"Query",
       {"Query",
        R"x({"TableName":"orders","IndexName":"by-group","KeyConditionExpression":"#g = :g",
                  "FilterExpression":"contains(note, :n)","ProjectionExpression":"sk, note",
                  "ExpressionAttributeNames":{"#g":"group"},
                  "ExpressionAttributeValues":{":g":{"S":"odd"},":n":{"S":"note"}}})x"}});
  all.push_back({"Scan", {"Scan", R"({"TableName":"orders","Limit":3})"}});
  all.push_back({"GetItem", {"GetItem", R"({"TableName":"orders","Key":)" + key + "}"}});
  all.push_back({"BatchGetItem",
                 {"BatchGetItem", R"({"RequestItems":{"orders":{"Keys":[)" + key +
                                      R"(]},"users":{"Keys":[{"pk":{"S":"user 1"}}]}}})"}});
  all.push_back({"TransactGetItems",
                 {"TransactGetItems",
                  R"({"TransactItems":[{"Get":{"TableName":"orders","Key":)" + key + "}}]}"}});
  std::string more(kOrders);
  all.push_back({"CreateTable",
                 {"CreateTable", more.replace(more.find("orders"), 6, "more")},
                 {},
                 "ResourceInUseException"});
  all.push_back({"DeleteTable",
                 {"DeleteTable", R"({"TableName":"users"})"},
                 {},
                 "ResourceNotFoundException"});
  all.push_back({"UpdateTimeToLive",
                 {"UpdateTimeToLive", R"({"TableName":"users","TimeToLiveSpecification":{
                  "AttributeName":"an attribute with a long name","Enabled":true}})"},
                 {},
                 "already enabled"});
  all.push_back(
      {"TagResource",
       {"TagResource", R"({"ResourceArn":")" + std::string(kStreamArn) +
                           R"(users","Tags":[{"Key":"a key that is long","Value":"x"}]})"}});
  all.push_back(
      {"Insert",
       {"ExecuteStatement", R"({"Statement":"INSERT INTO users VALUE {'pk':'new','group':'g'}"})"},
       {},
       "DuplicateItemException"});
  all.push_back(
      {"Update",
       {"ExecuteStatement",
        R"({"Statement":"UPDATE users SET \"group\"='gg' SET n=1 WHERE pk='user 1' RETURNING ALL NEW *"})"}});
  all.push_back(
      {"Select", {"ExecuteStatement", R"({"Statement":"SELECT * FROM users WHERE pk='user 1'"})"}});
  all.push_back({"ExecuteTransaction", {"ExecuteTransaction", R"({"TransactStatements":[
                  {"Statement":"UPDATE users SET n=1 WHERE pk='user 1'"},
                  {"Statement":"DELETE FROM users WHERE pk='user 2'"}]})"}});
  return all;
}

// The calls whose changes a commit makes.
inline std::vector<Scenario> CommittedScenarios() {
  std::vector<Scenario> all = Scenarios();
  std::erase_if(all, [](const Scenario& scenario) {
    const std::string& operation = scenario.call.operation;
    return operation != "PutItem" && operation != "UpdateItem" && operation != "DeleteItem" &&
           operation != "BatchWriteItem" && operation != "TransactWriteItems";
  });
  return all;
}

}  // namespace hashrange::test
