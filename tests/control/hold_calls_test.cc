// Tests of holds: every operation on an item that a transaction seems to be writing.
#include <gtest/gtest.h>

#include <string>

#include "control/simulated_api.h"

namespace hashrange {
namespace {

constexpr char kHold[] = R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":"1"}}})";
constexpr char kOngoing[] = "Transaction is ongoing for the item";

struct RefusedBody {
  const char* body;
  int http_status;
  const char* sentence;
};

class HoldCalls : public testing::Test {
 protected:
  HoldCalls() {
    api_.Ok("CreateTable", kIndexedTable);
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})");
  }
  void Hold(std::string_view body = kHold) {
    EXPECT_EQ(api_.Control("POST", "holds", std::string(body)).http_status, 200) << body;
  }
  // Expects that a transaction with these items is cancelled with these reasons.
  void IsCancelled(const char* operation, const char* request, const char* codes,
                   const char* reasons) {
    const Api::Reply reply = api_.Call(operation, request);
    EXPECT_EQ(reply.http_status, 400);
    EXPECT_TRUE(SameJson(
        reply.body,
        std::string(R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
          "Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [)")
            .append(codes)
            .append(R"(]","CancellationReasons":[)")
            .append(reasons)
            .append("]}")))
        << reply.body;
  }

  SimulatedApi api_;
};

TEST_F(HoldCalls, AreAddedListedAndReleased) {
  api_.Controls("POST", "holds", kHold, R"({"id":1})");
  api_.Controls("POST", "holds",
                R"({"table":"app","key":{"PK":{"S":"b"},"SK":{"N":"2"}},"timeout":"5s"})",
                R"({"id":2})");
  api_.Controls("GET", "holds", {},
                R"({"holds":[
      {"id":1,"table":"app","account":"000000000000","region":"us-east-1",
       "key":{"PK":{"S":"a"},"SK":{"N":"1"}}},
      {"id":2,"table":"app","account":"000000000000","region":"us-east-1",
       "key":{"PK":{"S":"b"},"SK":{"N":"2"}},"until":"2023-11-14T22:13:25.000Z"}]})");
  api_.Controls("DELETE", "holds/1", {}, R"({"holds":1})");
  api_.Refuses("DELETE", "holds/1", {}, 404, R"(There is no hold "1".)");
  api_.Controls("DELETE", "holds", {}, R"({"holds":1})");
  api_.Controls("GET", "holds", {}, R"({"holds":[]})");
}

TEST_F(HoldCalls, SingleWritesGetTheConflict) {
  Hold();
  const char* const writes[][2] = {
      {"PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1.0"}}})"},
      {"UpdateItem", R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})"},
      {"DeleteItem", R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})"},
      {"ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"})"},
  };
  for (const auto& write : writes) {
    api_.Fails(write[0], write[1], "TransactionConflictException", kOngoing);
  }
  api_.Answers("BatchExecuteStatement",
               R"({"Statements":[{"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"},
                                 {"Statement":"DELETE FROM app WHERE PK='b' AND SK=1"}]})",
               R"({"Responses":[{"TableName":"app","Error":{"Code":"TransactionConflict",
                    "Message":"Transaction is ongoing for the item"}},{"TableName":"app"}]})");
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"2"}}})");
  api_.Control("DELETE", "holds");
  for (const auto& write : writes) {
    if (std::string(write[0]) != "ExecuteStatement") api_.Ok(write[0], write[1]);
  }
}

TEST_F(HoldCalls, AMemberOfABatchIsReturnedUnprocessed) {
  Hold();
  api_.Answers("BatchWriteItem",
               R"({"RequestItems":{"app":[
                     {"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
                     {"PutRequest":{"Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]}})",
               R"({"UnprocessedItems":{"app":[
                     {"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]}})");
  api_.Answers(
      "BatchWriteItem",
      R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]}})",
      R"({"UnprocessedItems":{"app":[{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]}})");
}

TEST_F(HoldCalls, MembersOfATransactionCancelIt) {
  Hold();
  constexpr char kReason[] =
      R"({"Code":"TransactionConflict","Message":"Transaction is ongoing for the item."})";
  const std::string first = std::string(kReason) + R"(,{"Code":"None"})";
  IsCancelled("TransactWriteItems", R"({"TransactItems":[
      {"Delete":{"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
      {"Delete":{"TableName":"app","Key":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]})",
              "TransactionConflict, None", first.c_str());
  IsCancelled("TransactWriteItems", R"j({"TransactItems":[
      {"ConditionCheck":{"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}},
        "ConditionExpression":"attribute_exists(PK)"}},
      {"Delete":{"TableName":"app","Key":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]})j",
              "TransactionConflict, None", first.c_str());
  IsCancelled("TransactGetItems", R"({"TransactItems":[
      {"Get":{"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
      {"Get":{"TableName":"app","Key":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]})",
              "TransactionConflict, None", first.c_str());
  IsCancelled("ExecuteTransaction", R"({"TransactStatements":[
      {"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"}]})",
              "TransactionConflict", kReason);
}

TEST_F(HoldCalls, OtherReadsAreNeverRefused) {
  Hold();
  constexpr char kHeld[] = R"({"PK":{"S":"a"},"SK":{"N":"1"}})";
  api_.Answers("GetItem",
               R"({"TableName":"app","ConsistentRead":true,"Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})",
               std::string(R"({"Item":)") + kHeld + "}");
  api_.Ok("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"PK":{"S":"a"},"SK":{"N":"1"}}]}}})");
  api_.Ok("Query", R"({"TableName":"app","KeyConditionExpression":"PK=:p",
                       "ExpressionAttributeValues":{":p":{"S":"a"}}})");
  api_.Ok("Scan", R"({"TableName":"app"})");
  api_.Ok("ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE PK='a' AND SK=1"})");
}

TEST_F(HoldCalls, EndWithTheirTime) {
  constexpr char kDelete[] = R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})";
  Hold(R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":"1"}},"timeout":"2s"})");
  api_.clock().Advance(1999);
  api_.Fails("DeleteItem", kDelete, "TransactionConflictException", kOngoing);
  api_.clock().Advance(1);
  api_.Ok("DeleteItem", kDelete);
  api_.Controls("GET", "holds", {}, R"({"holds":[]})");
}

TEST_F(HoldCalls, EndWithTheirTable) {
  Hold();
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.Ok("CreateTable", kIndexedTable);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})");
  api_.Controls("GET", "holds", {}, R"({"holds":[]})");
}

TEST_F(HoldCalls, EndWithAResetOfTheirTable) {
  Hold();
  api_.Controls("POST", "reset", R"({"table":"app"})", R"({"tables":1})");
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})");
  api_.Controls("GET", "holds", {}, R"({"holds":[]})");
}

TEST_F(HoldCalls, EndWithTheSimulation) {
  Hold();
  api_.Rule(R"({"match":{},"do":{"status":500}})");
  api_.Controls("POST", "reset", R"({"account":"111122223333","simulation":true})",
                R"({"tables":0})");
  api_.Controls("GET", "holds", {}, R"({"holds":[]})");
  api_.Controls("GET", "faults", {}, R"({"rules":[]})");
}

// A table that is changed is still the same table.
TEST_F(HoldCalls, SurviveAChangeOfTheTable) {
  Hold();
  api_.Ok("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":true})");
  api_.Fails("DeleteItem", R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})",
             "TransactionConflictException", kOngoing);
}

TEST_F(HoldCalls, BelongToOneAccountAndRegion) {
  Hold();
  api_.SignAs("111122223333", "eu-west-1");
  api_.Ok("CreateTable", kIndexedTable);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})");
  Hold(R"({"table":"app","account":"111122223333","region":"eu-west-1",
           "key":{"PK":{"S":"a"},"SK":{"N":"1"}}})");
  api_.Fails("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})",
             "TransactionConflictException", kOngoing);
}

TEST_F(HoldCalls, AreCheckedAgainstTheTable) {
  const RefusedBody kRows[] = {
      {R"({"table":"app"})", 400, R"("key" is missing in the body.)"},
      {R"({"key":{"PK":{"S":"a"}}})", 400, R"("table" is missing in the body.)"},
      {R"({"table":"none","key":{"PK":{"S":"a"}}})", 404, R"(There is no table "none".)"},
      {R"({"table":"app","region":"eu-west-1","key":{"PK":{"S":"a"}}})", 404,
       R"(There is no table "app".)"},
      {R"({"table":"app","key":{"PK":{"S":"a"}}})", 400,
       R"("key" is not the key of table "app", which is "PK" (S) and "SK" (N).)"},
      {R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"S":"1"}}})", 400,
       R"("key" is not the key of table "app", which is "PK" (S) and "SK" (N).)"},
      {R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":"1"},"x":{"S":"1"}}})", 400,
       R"("key" is not the key of table "app", which is "PK" (S) and "SK" (N).)"},
      {R"({"table":"app","key":{"PK":{"S":""},"SK":{"N":"1"}}})", 400,
       R"("key" is not DynamoDB JSON such as {"PK":{"S":"a"}}: One or more parameter values are )"
       R"(not valid. The AttributeValue for a key attribute cannot contain an empty string value. )"
       R"(Key: PK.)"},
      {R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":"1"}},"timeout":"-1s"})", 400,
       R"("timeout" in the body is not a time with its unit, such as "500ms", "3s", "5m", "2h" )"
       R"(or "2d".)"},
      {R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":"1"}},"timeout":5})", 400,
       R"("timeout" in the body is not a time with its unit, such as "500ms", "3s", "5m", "2h" )"
       R"(or "2d".)"},
      {R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":"1"}},"item":1})", 400,
       R"("item" is no member of the body, which may have "table", "account", "region", "key" and )"
       R"("timeout".)"},
  };
  for (const auto& [body, status, sentence] : kRows) {
    api_.Refuses("POST", "holds", body, status, sentence);
  }
  api_.Controls("GET", "holds", {}, R"({"holds":[]})");
}

TEST_F(HoldCalls, AreLimited) {
  for (int i = 0; i < 1000; ++i) {
    Hold(R"({"table":"app","key":{"PK":{"S":"a"},"SK":{"N":")" + std::to_string(i) + R"("}}})");
  }
  api_.Refuses("POST", "holds", kHold, 400, "There are 1000 holds, which is the limit.");
  api_.Controls("DELETE", "holds", {}, R"({"holds":1000})");
}

// A table or an index that is held in a status: what each operation does then, and that the table
// is the same as before when the status ends.

constexpr char kQueryIndex[] =
    R"({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"G=:g",
        "ExpressionAttributeValues":{":g":{"S":"g"}}})";
constexpr char kGetHeld[] = R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})";

class StatusCalls : public testing::Test {
 protected:
  StatusCalls() {
    api_.Ok("CreateTable", kIndexedTable);
    api_.Ok("PutItem",
            R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})");
    described_ = api_.Ok("DescribeTable", R"({"TableName":"app"})");
  }
  void Hold(std::string_view status, std::string_view index = {}) {
    std::string body = R"({"table":"app",)";
    if (!index.empty()) body.append(R"("index":")").append(index).append(R"(",)");
    body.append(R"("status":")").append(status).append(R"("})");
    api_.Controls("POST", "status", body, body);
  }
  // Returns "CREATING", or "CREATING backfilling" for the index.
  std::string StatusOf(const std::string& description) {
    const auto text_of = [&](std::string_view member) {
      const std::size_t at = description.find(std::string(member).append(R"(":")"));
      if (at == std::string::npos) return std::string("none");
      const std::size_t begin = at + member.size() + 3;
      return description.substr(begin, description.find('"', begin) - begin);
    };
    std::string status = text_of("TableStatus") + ", " + text_of("IndexStatus");
    if (description.find(R"("Backfilling":true)") != std::string::npos) status += " backfilling";
    if (description.find(R"("Backfilling":false)") != std::string::npos) status += " waiting";
    return status;
  }
  std::string Status() { return StatusOf(api_.Ok("DescribeTable", R"({"TableName":"app"})")); }
  void IsAsBefore() {
    const std::string now = api_.Ok("DescribeTable", R"({"TableName":"app"})");
    EXPECT_TRUE(SameJson(now, described_)) << now;
    api_.Answers("Query", kQueryIndex,
                 R"({"Items":[{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}],
                     "Count":1,"ScannedCount":1})");
  }

  SimulatedApi api_;
  std::string described_;
};

TEST_F(StatusCalls, ATableIsCreatingUntilItIsActive) {
  Hold("CREATING");
  EXPECT_EQ(Status(), "CREATING, CREATING");
  api_.Fails("GetItem", kGetHeld, "ResourceNotFoundException", "Requested resource not found");
  api_.Fails("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})",
             "ResourceNotFoundException", "Requested resource not found");
  api_.Fails("DeleteTable", R"({"TableName":"app"})", "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being created: app");
  api_.Fails("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":true})",
             "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being created: app");
  api_.clock().Advance(1'000'000'000'000);
  EXPECT_EQ(Status(), "CREATING, CREATING");
  Hold("ACTIVE");
  IsAsBefore();
}

TEST_F(StatusCalls, ATableIsUpdatingUntilItIsActive) {
  Hold("UPDATING");
  EXPECT_EQ(Status(), "UPDATING, ACTIVE");
  api_.Ok("GetItem", kGetHeld);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})");
  api_.Fails("DeleteTable", R"({"TableName":"app"})", "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table: app is in the process of "
             "being updated.");
  Hold("CREATING");
  EXPECT_EQ(Status(), "CREATING, CREATING");
  Hold("ACTIVE");
  IsAsBefore();
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
}

TEST_F(StatusCalls, AnIndexIsBackfillingUntilItIsActive) {
  Hold("CREATING", "GSI1");
  EXPECT_EQ(Status(), "ACTIVE, CREATING backfilling");
  api_.Fails("Query", kQueryIndex, "ValidationException",
             "Cannot read from backfilling global secondary index: GSI1");
  api_.Ok("DeleteItem", kGetHeld);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})");
  api_.Fails("UpdateTable", R"({"TableName":"app",
    "AttributeDefinitions":[{"AttributeName":"x","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"GSI2",
      "KeySchema":[{"AttributeName":"x","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"}}}]})",
             "LimitExceededException",
             "Subscriber limit exceeded: Only 1 online index can be created or deleted "
             "simultaneously per table");
  Hold("ACTIVE", "GSI1");
  IsAsBefore();
}

TEST_F(StatusCalls, AnIndexIsUpdatingUntilItsTableIsActive) {
  Hold("UPDATING", "GSI1");
  EXPECT_EQ(Status(), "ACTIVE, UPDATING");
  Hold("UPDATING");
  EXPECT_EQ(Status(), "UPDATING, UPDATING");
  Hold("ACTIVE", "GSI1");
  EXPECT_EQ(Status(), "UPDATING, ACTIVE");
  Hold("UPDATING", "GSI1");
  Hold("ACTIVE");
  IsAsBefore();
}

TEST_F(StatusCalls, ChangesThatAreMadeMeanwhileAreKept) {
  Hold("UPDATING");
  api_.Ok("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":true})");
  EXPECT_EQ(Status(), "UPDATING, ACTIVE");
  Hold("ACTIVE");
  const std::string now = api_.Ok("DescribeTable", R"({"TableName":"app"})");
  EXPECT_EQ(StatusOf(now), "ACTIVE, ACTIVE");
  EXPECT_NE(now.find(R"("DeletionProtectionEnabled":true)"), std::string::npos);
}

TEST_F(StatusCalls, ActiveTablesStayActive) {
  Hold("ACTIVE");
  Hold("ACTIVE", "GSI1");
  IsAsBefore();
}

TEST_F(StatusCalls, AreCheckedAgainstTheTable) {
  const RefusedBody kRows[] = {
      {R"({"table":"app"})", 400, R"("status" is missing in the body.)"},
      {R"({"table":"app","status":"GONE"})", 400,
       R"("status" is "CREATING", "UPDATING" or "ACTIVE".)"},
      {R"({"table":"none","status":"ACTIVE"})", 404, R"(There is no table "none".)"},
      {R"({"table":"app","index":"none","status":"CREATING"})", 404,
       R"(Table "app" has no index "none".)"},
      {R"({"table":"app","index":"LSI1","status":"CREATING"})", 400,
       R"(Index "LSI1" is a local one, which has no status of its own.)"},
      {R"({"table":"app","account":"x","status":"CREATING"})", 400,
       R"("x" in "account" is not an account id, which has 12 digits.)"},
  };
  for (const auto& [body, status, sentence] : kRows) {
    api_.Refuses("POST", "status", body, status, sentence);
  }
  IsAsBefore();
}

}  // namespace
}  // namespace hashrange
