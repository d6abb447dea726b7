// Tests that answers of the control API have each member that the rows of control/routes.def give
// them, that those which may be missing do miss, and that the checker of the types sees what is
// wrong. The other tests of the calls hold every answer against its type (control_fixture.h).
#include "control/answer_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "control/control_fixture.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

class AnswerTypes : public ControlFixture {
 protected:
  // Explains an operation, which need not succeed.
  void Explain(std::string_view operation, std::string_view input) {
    const std::string answer = Post("explain", std::string(R"({"operation":")")
                                                   .append(operation)
                                                   .append(R"(","input":)")
                                                   .append(input)
                                                   .append("}"));
    EXPECT_THAT(answer, testing::StartsWith("200 ")) << input;
  }
};

constexpr char kVectorTable[] =
    R"({"TableName":"vec","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],)"
    R"("VectorIndexes":[{"IndexName":"vix","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,)"
    R"("DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"}}]})";
constexpr char kVectorItem[] =
    R"({"TableName":"vec","Item":{"PK":{"S":"a"},"e":{"L":[{"N":"1"},{"N":"0"}]}}})";
constexpr char kSearch[] =
    R"({"TableName":"vec","IndexName":"vix","SearchVector":[{"N":"1"},{"N":"0"}],"TopK":3})";

TEST_F(AnswerTypes, EachMemberIsSeenAndEachOptionalOneMisses) {
  Ok("CreateTable", kAppTable);
  Ok("CreateTable", kVectorTable);
  Post("requests", R"({"limit":100})");
  Post("changes", R"({"table":"app","limit":4})");
  for (const char* sort : {"1", "2", "3"}) {
    Ok("PutItem", std::string(R"({"TableName":"app","Item":{"PK":{"S":"USER#a"},"SK":{"S":")") +
                      sort + R"("},"G":{"S":"g"},"L":{"N":"1"},"x":{"S":"x"}}})");
  }
  Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"USER#b"},"SK":{"S":"1"}}})");
  Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"USER#b"},"SK":{"S":"1"},"x":{"S":"y"}}})");
  Ok("DeleteItem", R"({"TableName":"app","Key":{"PK":{"S":"USER#b"},"SK":{"S":"1"}}})");
  Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"USER#c"},"SK":{"S":"1"}}})");
  Ok("PutItem", kVectorItem);
  Ok("SearchVectors", kSearch);
  Ok("Query", R"({"TableName":"app","IndexName":"byG","KeyConditionExpression":"G = :g",)"
              R"("ExpressionAttributeValues":{":g":{"S":"g"}}})");
  Call("GetItem", R"({"TableName":"none","Key":{"PK":{"S":"a"}}})");
  Post("faults",
       R"({"rules":[{"match":{"operation":"Scan"},"do":{"drop":"after","latency":"1ms"}}]})");
  Call("Scan", R"({"TableName":"app"})");
  Control("DELETE", "faults");

  Control("GET", "");
  Control("GET", "accounts");
  Control("GET", "requests");
  Control("GET", "requests?since=1");
  Control("GET", "changes?table=app");
  Control("GET", "changes?table=app&since=1");
  for (const char* order : {"hash", "key"}) {
    const std::string body = std::string(R"({"table":"app","order":")") + order;
    Post("collections", body + R"("})");
    Post("collections", body + R"(","limit":1,"items":1})");
  }
  Post("places", R"({"table":"app","key":{"PK":{"S":"USER#a"},"SK":{"S":"1"}}})");
  Post("places", R"({"table":"app","key":{"PK":{"S":"USER#c"},"SK":{"S":"1"}}})");

  Explain(
      "Query",
      R"({"TableName":"app","IndexName":"byG","KeyConditionExpression":"G = :g",)"
      R"("FilterExpression":"L < :l","Limit":2,"ScanIndexForward":false,)"
      R"("ProjectionExpression":"PK","ExpressionAttributeValues":{":g":{"S":"g"},":l":{"N":"2"}}})");
  Explain(
      "Scan",
      R"({"TableName":"app","ConsistentRead":true,"Select":"COUNT","Segment":0,"TotalSegments":2})");
  Explain("Scan",
          R"({"TableName":"app","ExclusiveStartKey":{"PK":{"S":"USER#a"},"SK":{"S":"1"}}})");
  Explain(
      "UpdateItem",
      R"({"TableName":"app","Key":{"PK":{"S":"USER#a"},"SK":{"S":"1"}},"UpdateExpression":"SET G = :g",)"
      R"-("ConditionExpression":"attribute_exists(PK)","ExpressionAttributeValues":{":g":{"S":"h"}}})-");
  Explain("ExecuteStatement",
          R"({"Statement":"SELECT * FROM app WHERE PK = 'USER#a' AND x = 'x'"})");
  Explain("PutItem", kVectorItem);
  Explain("TransactWriteItems",
          R"({"TransactItems":[{"Put":{"TableName":"app","Item":{"PK":{"S":"n"},"SK":{"S":"1"}}}},)"
          R"({"ConditionCheck":{"TableName":"app","Key":{"PK":{"S":"none"},"SK":{"S":"1"}},)"
          R"-("ConditionExpression":"attribute_exists(PK)"}}]})-");
  Post("seed", R"({"table":"app","data":"{\"PK\":\"s\",\"SK\":\"1\"}"})");
  Post(
      "seed",
      R"({"table":"app","data":"{\"Count\":1,\"Items\":[{\"PK\":{\"S\":\"s\"},\"SK\":{\"S\":\"1\"}}],)"
      R"(\"LastEvaluatedKey\":{\"PK\":{\"S\":\"s\"},\"SK\":{\"S\":\"1\"}}}"})");
  Control("DELETE", "requests");
  Post("reset");

  const SeenRows all = AllRows();
  std::vector<std::string> unseen;
  std::ranges::set_difference(all, seen_, std::back_inserter(unseen));
  // A request that cannot be read comes from a socket only.
  EXPECT_THAT(unseen, testing::ElementsAre("AnyRequest.account?", "AnyRequest.operation?",
                                           "AnyRequest.region?"));
}

TEST(AnswerTypesChecker, WhatIsWrongIsNamed) {
  const char* const rows[][4] = {
      {"GET", "accounts", R"({"accounts":[{"account":"1","tables":1,"durable":true}]})", ""},
      {"GET", "accounts", R"({"accounts":[{"account":"1","tables":1}]})",
       "AccountList.accounts: Account.durable is missing"},
      {"GET", "accounts", R"({"accounts":[{"account":"1","tables":"1","durable":true}]})",
       "AccountList.accounts: Account.tables: is not of type number"},
      {"GET", "accounts", R"({"accounts":[],"more":1})", "AccountList has a member without a row"},
      {"GET", "accounts", R"({"accounts":[7]})", "AccountList.accounts: is no Account"},
      {"POST", "changes", R"({"enabled":true,"limit":1,"last_id":0})",
       "RecorderState.forgotten is missing"},
      {"GET", "changes?table=app",
       R"({"enabled":true,"limit":1,"last_id":0,"forgotten":0,"changes":[]})", ""},
      {"POST", "places",
       R"({"item":{"a":{"S":"x","N":"1"}},"size_bytes":2,"places":[],"absent":[]})",
       "Places.item: is not of type StoredItem"},
      {"POST", "collections", R"({"order":"other","collections":[]})",
       "CollectionsByKey.order: is not of type 'key'"},
      {"POST", "seed", R"({"tables":{"app":"2"}})", "ItemsOfTables.tables: is not of type number"},
      {"GET", "clock", "[]", ""},
  };
  for (const auto& [method, path, body, problem] : rows) {
    EXPECT_EQ(ProblemOfAnswer(method, path, body), problem) << body;
  }
}

// The script prints what differs.
TEST(ControlTypes, TheTypesAreWhatTheRowsGive) {
  const std::string command =
      "python3 " + SourceRoot().string() + "/scripts/update-control-types --check";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace hashrange
