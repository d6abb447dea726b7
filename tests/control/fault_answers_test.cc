// Tests the effect of each fault action on the answers: whole bodies, delays, drops.
#include <gtest/gtest.h>

#include <string>

#include "control/simulated_api.h"

namespace hashrange {
namespace {

constexpr char kGet[] = R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})";
constexpr char kPut[] =
    R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})";
constexpr char kScan[] = R"({"TableName":"app"})";
constexpr char kEmpty[] = R"({"Items":[],"Count":0,"ScannedCount":0})";
constexpr char kWriteTwo[] = R"({"RequestItems":{"app":[
  {"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
  {"PutRequest":{"Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]}})";
constexpr char kTransactTwo[] = R"({"TransactItems":[
  {"Put":{"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
  {"Put":{"TableName":"app","Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]})";

class FaultAnswers : public testing::Test {
 protected:
  FaultAnswers() { api_.Ok("CreateTable", kIndexedTable); }

  void Is(const char* operation, const char* request, int http_status, std::string_view body) {
    const Api::Reply reply = api_.Call(operation, request);
    EXPECT_EQ(reply.http_status, http_status) << operation;
    EXPECT_EQ(reply.body, body) << operation;
  }
  void IsEmpty() {
    api_.Control("DELETE", "faults");
    api_.Answers("Scan", kScan, kEmpty);
  }

  SimulatedApi api_;
};

TEST_F(FaultAnswers, StatusIsWhatTheServiceSendsWithIt) {
  api_.Rule("{}", R"({"status":500})");
  constexpr char kInternal[] =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
      R"("message":"Internal server error"})";
  Is("PutItem", kPut, 500, kInternal);
  Is("ListTables", "{}", 500, kInternal);
  constexpr char kUnavailable[] = "<html><body><b>Http/1.1 Service Unavailable</b></body> </html>";
  api_.Rule(R"({"table":"app"})", R"({"status":503})");
  Is("PutItem", kPut, 503, kUnavailable);
  Is("BatchWriteItem", kWriteTwo, 503, kUnavailable);
  Is("TransactWriteItems", kTransactTwo, 503, kUnavailable);
  Is("BatchExecuteStatement",
     R"({"Statements":[{"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"}]})", 503,
     kUnavailable);
  Is("DescribeTable", kScan, 503, kUnavailable);
  api_.Ok("ListTables", "{}");
  IsEmpty();
}

// Every member passes the gates before one is written, so an error of the call writes nothing.
TEST_F(FaultAnswers, AnErrorAtOneMemberOfABatchWritesNothing) {
  api_.Rule(R"({"key":{"PK":{"S":"b"}}})", R"({"status":500})");
  EXPECT_EQ(api_.Call("BatchWriteItem", R"({"RequestItems":{"app":[
    {"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
    {"PutRequest":{"Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}},
    {"PutRequest":{"Item":{"PK":{"S":"c"},"SK":{"N":"1"}}}}]}})")
                .http_status,
            500);
  api_.Control("DELETE", "faults");
  api_.Answers("Scan", kScan, R"({"Items":[],"Count":0,"ScannedCount":0})");
}

TEST_F(FaultAnswers, AnErrorHasItsUsualText) {
  constexpr char kService[] = "com.amazonaws.dynamodb.v20120810#";
  constexpr char kCoral[] = "com.amazon.coral.service#";
  const struct {
    const char* space;
    const char* type;
    int http_status;
    const char* text;  // as a member; empty: the answer has no text
  } kRows[] = {
      {"com.amazon.coral.validate#", "ValidationException", 400,
       R"(,"message":"One or more parameter values were invalid")"},
      {kCoral, "SerializationException", 400, ""},
      {kCoral, "UnknownOperationException", 400, ""},
      {kCoral, "MissingAuthenticationTokenException", 400,
       R"(,"message":"Request is missing Authentication Token")"},
      {kCoral, "IncompleteSignatureException", 400,
       R"(,"message":"The request signature does not conform to AWS standards.")"},
      {kCoral, "InvalidSignatureException", 400,
       R"(,"message":"The request signature we calculated does not match the signature you )"
       R"(provided. Check your AWS Secret Access Key and signing method. Consult the service )"
       R"(documentation for details.")"},
      {kCoral, "UnrecognizedClientException", 400,
       R"(,"message":"The security token included in the request is invalid.")"},
      {kCoral, "AccessDeniedException", 400,
       R"(,"Message":"User: arn:aws:iam::000000000000:user/hashrange is not authorized to perform: )"
       R"(dynamodb:DescribeTable on resource: arn:aws:dynamodb:us-east-1:000000000000:table/app )"
       R"(because no identity-based policy allows the dynamodb:DescribeTable action")"},
      {"com.amazon.coral.availability#", "ThrottlingException", 400,
       R"(,"message":"Rate exceeded")"},
      {kService, "ConditionalCheckFailedException", 400,
       R"(,"message":"The conditional request failed")"},
      {kService, "TransactionCanceledException", 400,
       R"(,"Message":"Transaction cancelled, please refer cancellation reasons for specific )"
       R"(reasons [TransactionConflict]","CancellationReasons":[{"Code":"TransactionConflict",)"
       R"("Message":"Transaction is ongoing for the item."}])"},
      {kService, "ResourceNotFoundException", 400, R"(,"message":"Requested resource not found")"},
      {kService, "ResourceInUseException", 400,
       R"(,"message":"Attempt to change a resource which is still in use: Table is being updated: )"
       R"(app")"},
      {kService, "LimitExceededException", 400,
       R"(,"message":"Too many operations for a given subscriber.")"},
      {kService, "ItemCollectionSizeLimitExceededException", 400,
       R"(,"message":"Collection size exceeded.")"},
      {kService, "ProvisionedThroughputExceededException", 400,
       R"(,"message":"The level of configured provisioned throughput for the table was exceeded. )"
       R"(Consider increasing your provisioning level with the UpdateTable API.")"},
      {kService, "TransactionConflictException", 400,
       R"(,"message":"Transaction is ongoing for the item")"},
      {kService, "ReplicatedWriteConflictException", 400,
       R"(,"message":"One or more items in this request are being modified by a request in another )"
       R"(Region.")"},
      {kService, "DuplicateItemException", 400,
       R"(,"message":"Duplicate primary key exists in table")"},
      {kService, "RequestLimitExceeded", 400,
       R"(,"message":"Throughput exceeds the current throughput limit for your account. To request )"
       R"(a limit increase, contact AWS Support at https://aws.amazon.com/support.")"},
      {kService, "IdempotentParameterMismatchException", 400,
       R"(,"Message":"The request uses the same client token as a previous, but non-identical )"
       R"(request. Do not reuse a client token with different requests, unless the requests are )"
       R"(identical")"},
      {kService, "TransactionInProgressException", 400,
       R"(,"Message":"Transaction from previous request is still in progress")"},
      {kService, "InvalidEndpointException", 400, ""},
      {kService, "ExpiredIteratorException", 400, R"(,"message":"Shard iterator has expired")"},
      {kService, "TrimmedDataAccessException", 400,
       R"(,"message":"The operation attempted to read past the oldest stream record in a shard.")"},
      {kCoral, "InternalFailure", 500, ""},
      {kService, "InternalServerError", 500, R"(,"message":"Internal server error")"},
  };
  for (const auto& [space, type, http_status, text] : kRows) {
    api_.Rule(R"({"operation":"DescribeTable"})",
              std::string(R"({"error":{"type":")").append(space).append(type).append(R"("}})"));
    Is("DescribeTable", kScan, http_status,
       std::string(R"({"__type":")")
           .append(space)
           .append(type)
           .append("\"")
           .append(text)
           .append("}"));
  }
}

TEST_F(FaultAnswers, AnErrorCanHaveItsOwnTextAndReasons) {
  api_.Rule("{}", R"({"error":{"type":"AccessDeniedException","message":"No."}})");
  api_.Fails("PutItem", kPut, "AccessDeniedException", "No.");
  api_.Fails("TransactWriteItems", kTransactTwo, "AccessDeniedException", "No.");
  api_.Rule("{}", R"({"error":{"type":"TransactionCanceledException"}})");
  const std::string text =
      "Transaction cancelled, please refer cancellation reasons for specific reasons ";
  api_.Fails("TransactWriteItems", kTransactTwo, "TransactionCanceledException",
             text + "[TransactionConflict, None]");
  api_.Rule("{}", R"({"error":{"type":"TransactionCanceledException",
                          "reasons":["None","ConditionalCheckFailed"]}})");
  const std::string body =
      api_.Fails("TransactWriteItems", kTransactTwo, "TransactionCanceledException",
                 text + "[None, ConditionalCheckFailed]");
  EXPECT_NE(
      body.find(R"("CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed"}])"),
      std::string::npos);
  IsEmpty();
}

// An error of an item is a cancellation reason, the error of a statement, or an unprocessed member.
TEST_F(FaultAnswers, AnErrorOfAnItemConcernsThatItemOnly) {
  api_.Rule(R"({"key":{"PK":{"S":"b"}}})",
            R"({"error":{"type":"ConditionalCheckFailedException"}})");
  const std::string body = api_.Fails(
      "TransactWriteItems", kTransactTwo, "TransactionCanceledException",
      "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
      "ConditionalCheckFailed]");
  EXPECT_NE(body.find(R"({"Code":"ConditionalCheckFailed",)"
                      R"("Message":"The conditional request failed"})"),
            std::string::npos);
  IsEmpty();
  api_.Rule(R"({"key":{"PK":{"S":"b"}}})", R"({"error":{"type":"ThrottlingException"}})");
  api_.Answers("BatchWriteItem", kWriteTwo,
               R"({"UnprocessedItems":{"app":[
                   {"PutRequest":{"Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]}})");
}

TEST_F(FaultAnswers, LatencyIsAddedOnceACall) {
  api_.Rule("{}", R"({"latency":"50ms"})");
  const Api::Reply put = api_.Call("PutItem", kPut);
  EXPECT_EQ(put.http_status, 200);
  EXPECT_EQ(put.body, "{}");
  EXPECT_EQ(put.send_after_ms, 50);
  EXPECT_EQ(api_.Call("ListTables", "{}").send_after_ms, 50);
  api_.Rule(R"({"table":"app"})", R"({"latency":{"min":"2s","max":"2s"}})");
  EXPECT_EQ(api_.Call("BatchWriteItem", kWriteTwo).send_after_ms, 2000);
  EXPECT_EQ(api_.Call("TransactWriteItems", kTransactTwo).send_after_ms, 2000);
  EXPECT_EQ(api_.Call("Scan", kScan).send_after_ms, 2000);
  EXPECT_EQ(api_.Call("ListTables", "{}").send_after_ms, 0);
  api_.Control("POST", "faults", R"({"rules":[{"match":{},"do":{"latency":"5ms"}}]})");
  EXPECT_EQ(api_.Call("Scan", kScan).send_after_ms, 2005);
  EXPECT_EQ(api_.Call("Scan", R"({"TableName":"none"})").send_after_ms, 5);
}

TEST_F(FaultAnswers, LatencyMayBeCombinedWithAnotherAction) {
  api_.Rule(R"({"table":"app"})",
            R"({"latency":"1s","throttle":"TableWriteKeyRangeThroughputExceeded"})");
  const Api::Reply reply = api_.Call("BatchWriteItem", kWriteTwo);
  EXPECT_EQ(reply.http_status, 400);
  EXPECT_EQ(reply.send_after_ms, 1000);
}

TEST_F(FaultAnswers, AConnectionIsDroppedBeforeOrAfterTheWork) {
  for (const char* match : {"{}", R"({"table":"app"})", R"({"key_prefix":{"PK":"a"}})"}) {
    api_.Rule(match, R"({"drop":"before"})");
    EXPECT_TRUE(api_.Call("PutItem", kPut).drop);
    EXPECT_TRUE(api_.Call("TransactWriteItems", kTransactTwo).drop);
    IsEmpty();
    api_.Rule(match, R"({"drop":"after"})");
    const Api::Reply reply = api_.Call("PutItem", kPut);
    EXPECT_TRUE(reply.drop);
    EXPECT_EQ(reply.http_status, 200);
    api_.Control("DELETE", "faults");
    EXPECT_EQ(api_.Ok("GetItem", kGet).substr(0, 8), R"({"Item":)");
    EXPECT_FALSE(api_.Call("DeleteItem", kGet).drop);
  }
}

// A transaction whose answer was lost is not executed twice.
TEST_F(FaultAnswers, ATokenMakesADroppedTransactionIdempotent) {
  constexpr char kAdd[] =
      R"({"ClientRequestToken":"t","TransactItems":[{"Update":{"TableName":"app",
    "Key":{"PK":{"S":"n"},"SK":{"N":"1"}},"UpdateExpression":"ADD n :one",
    "ExpressionAttributeValues":{":one":{"N":"1"}}}}]})";
  api_.Rule(R"({"operation":"TransactWriteItems","times":1})", R"({"drop":"after"})");
  EXPECT_TRUE(api_.Call("TransactWriteItems", kAdd).drop);
  EXPECT_FALSE(api_.Call("TransactWriteItems", kAdd).drop);
  api_.Answers("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"n"},"SK":{"N":"1"}}})",
               R"({"Item":{"PK":{"S":"n"},"SK":{"N":"1"},"n":{"N":"1"}}})");
}

TEST_F(FaultAnswers, OnlyATransactionWithATokenIsInProgress) {
  for (const char* match : {"{}", R"({"table":"app"})"}) {
    api_.Rule(match, R"({"in_progress":true})");
    api_.Fails("TransactWriteItems", kTransactTwo, "TransactionInProgressException",
               "Transaction from previous request is still in progress");
    api_.Fails("ExecuteTransaction",
               R"({"TransactStatements":[{"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"}]})",
               "TransactionInProgressException",
               "Transaction from previous request is still in progress");
    api_.Ok("GetItem", kGet);
    api_.Ok("TransactGetItems",
            std::string(R"({"TransactItems":[{"Get":)").append(kGet).append("}]}"));
  }
}

TEST_F(FaultAnswers, AFullCollectionRefusesWrites) {
  api_.Rule("{}", R"({"collection_full":true})");
  constexpr char kType[] = "ItemCollectionSizeLimitExceededException";
  api_.Fails("PutItem", kPut, kType, "Collection size exceeded.");
  api_.Fails("BatchWriteItem", kWriteTwo, kType, "Collection size exceeded.");
  api_.Fails("TransactWriteItems", kTransactTwo, "TransactionCanceledException",
             "Transaction cancelled, please refer cancellation reasons for specific reasons "
             "[ItemCollectionSizeLimitExceeded, None]");
  api_.Ok("GetItem", kGet);
  IsEmpty();
}

TEST_F(FaultAnswers, SomeMembersOfABatchAreUnprocessed) {
  constexpr char kFirst[] = R"({"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}})";
  const std::string first_unprocessed =
      std::string(R"({"UnprocessedItems":{"app":[)").append(kFirst).append("]}}");
  for (const char* match : {"{}", R"({"table":"app"})", R"({"key_prefix":{"PK":"a"}})"}) {
    api_.Rule(match, R"({"unprocessed":1})");
    api_.Answers("BatchWriteItem", kWriteTwo, first_unprocessed);
    // Never are all members unprocessed.
    api_.Rule(match, R"({"unprocessed":25})");
    api_.Answers("BatchWriteItem", kWriteTwo, first_unprocessed);
    api_.Answers("BatchWriteItem",
                 std::string(R"({"RequestItems":{"app":[)").append(kFirst).append("]}}"),
                 R"({"UnprocessedItems":{}})");
    api_.Answers("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[
        {"PK":{"S":"a"},"SK":{"N":"1"}},{"PK":{"S":"b"},"SK":{"N":"1"}}]}}})",
                 R"({"Responses":{"app":[{"PK":{"S":"b"},"SK":{"N":"1"}}]},
                     "UnprocessedKeys":{"app":{"Keys":[{"PK":{"S":"a"},"SK":{"N":"1"}}]}}})");
    api_.Ok("PutItem", kPut);
  }
  api_.Rule(R"({"every":2})", R"({"unprocessed":1})");
  api_.Answers("BatchWriteItem", kWriteTwo, R"({"UnprocessedItems":{}})");
  api_.Answers("BatchWriteItem", kWriteTwo, first_unprocessed);
}

}  // namespace
}  // namespace hashrange
