// Tests of throttling and conflicts in each kind of operation: in single accesses, batches,
// transactions, pages and statements, and which calls and accesses a rule is about.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "control/simulated_api.h"

namespace hashrange {
namespace {

constexpr char kItem[] = R"({"PK":{"S":"a"},"SK":{"N":"1"}})";
constexpr char kKey[] = R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})";
constexpr char kPutWithoutIndex[] = R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})";
constexpr char kHot[] =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
constexpr char kConflict[] = "Transaction is ongoing for the item";
constexpr char kCancelled[] =
    "Transaction cancelled, please refer cancellation reasons for specific reasons ";

struct Call {
  const char* operation;
  const char* request;
};
constexpr Call kSingleReads[] = {
    {"GetItem", kKey},
    {"Query", R"({"TableName":"app","KeyConditionExpression":"PK=:p",
                  "ExpressionAttributeValues":{":p":{"S":"a"}}})"},
    {"Scan", R"({"TableName":"app"})"},
    {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"PK":{"S":"a"},"SK":{"N":"1"}}]}}})"},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE PK='a' AND SK=1"})"},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM app"})"},
};
constexpr Call kSingleWrites[] = {
    {"PutItem", kPutWithoutIndex},
    {"UpdateItem", kKey},
    {"DeleteItem", kKey},
    {"BatchWriteItem",
     R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]}})"},
    {"ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"})"},
};

constexpr const char* kOperations[] = {
#define HR_OPERATION(name, ...) #name,
#include "operation/call/operations.def"
};

class FaultOperations : public testing::Test {
 protected:
  FaultOperations() {
    api_.Ok("CreateTable", kIndexedTable);
    api_.Ok("PutItem", kPutWithoutIndex);
  }
  // Returns how often the only rule has fired, and how often it has matched.
  std::string Fired() {
    const auto rule = api_.faults.List()[0];
    return std::to_string(rule->hits()) + "/" + std::to_string(rule->matches());
  }

  SimulatedApi api_;
};

TEST_F(FaultOperations, EverySingleAccessIsThrottled) {
  for (const char* match : {"{}", R"({"table":"app"})", R"({"operation":["GetItem","PutItem",
       "UpdateItem","DeleteItem","Query","Scan","BatchGetItem","BatchWriteItem",
       "ExecuteStatement"]})"}) {
    api_.Rule(match, R"({"throttle":"TableReadKeyRangeThroughputExceeded"})");
    for (const auto& [operation, request] : kSingleReads) {
      const std::string body = api_.Fails(operation, request, "ThrottlingException", kHot);
      EXPECT_NE(body.find(R"("throttlingReasons":[{"reason":"TableReadKeyRangeThroughputExceeded",)"
                          R"("resource":"arn:aws:dynamodb:us-east-1:000000000000:table/app"}])"),
                std::string::npos)
          << body;
    }
    EXPECT_EQ(Fired(), "6/6");
    for (const auto& [operation, request] : kSingleWrites) {
      EXPECT_EQ(api_.Call(operation, request).http_status, 200) << operation;
    }
    api_.Rule(match, R"({"throttle":"TableWriteKeyRangeThroughputExceeded"})");
    for (const auto& [operation, request] : kSingleWrites) {
      api_.Fails(operation, request, "ThrottlingException", kHot);
    }
    for (const auto& [operation, request] : kSingleReads) api_.Ok(operation, request);
    EXPECT_EQ(Fired(), "5/5");
    api_.Control("DELETE", "faults");
    api_.Ok("PutItem", kPutWithoutIndex);
  }
}

TEST_F(FaultOperations, AReadOfAnIndexNamesIt) {
  api_.Rule("{}", R"({"throttle":"IndexReadKeyRangeThroughputExceeded"})");
  const std::string body =
      api_.Fails("Scan", R"({"TableName":"app","IndexName":"GSI1"})", "ThrottlingException", kHot);
  EXPECT_NE(
      body.find(R"("resource":"arn:aws:dynamodb:us-east-1:000000000000:table/app/index/GSI1")"),
      std::string::npos);
  api_.Ok("Scan", R"({"TableName":"app"})");
  api_.Rule(R"({"index":"GSI1"})", R"({"throttle":"TableReadAccountLimitExceeded"})");
  api_.Fails("Scan", R"({"TableName":"app","IndexName":"GSI1"})", "RequestLimitExceeded",
             "Throughput exceeds the current throughput limit for your account. To request a limit "
             "increase, contact AWS Support at https://aws.amazon.com/support.");
  api_.Ok("Scan", R"({"TableName":"app","IndexName":"LSI1"})");
  api_.Ok("PutItem", kPutWithoutIndex);
}

TEST_F(FaultOperations, AThrottledIndexRefusesTheWritesOfItsTable) {
  for (const char* match : {"{}", R"({"index":"GSI1"})"}) {
    api_.Rule(match, R"({"throttle":"IndexWriteProvisionedThroughputExceeded"})");
    const std::string body = api_.Fails(
        "PutItem", kPutWithoutIndex, "ProvisionedThroughputExceededException",
        "The level of configured provisioned throughput for one or more global secondary indexes "
        "of the table was exceeded. Consider increasing your provisioning level for the "
        "under-provisioned global secondary indexes with the UpdateTable API");
    EXPECT_NE(
        body.find(R"("ThrottlingReasons":[{"reason":"IndexWriteProvisionedThroughputExceeded",)"
                  R"("resource":"arn:aws:dynamodb:us-east-1:000000000000:table/app/index/GSI1"}])"),
        std::string::npos)
        << body;
    api_.Ok("GetItem", kKey);
  }
}

TEST_F(FaultOperations, TheExceptionAndTheTextCanBeChosen) {
  api_.Rule("{}",
            R"({"throttle":{"reason":"TableReadKeyRangeThroughputExceeded","message":"Slowly.",
                 "exception":"ProvisionedThroughputExceededException"}})");
  api_.Fails("GetItem", kKey, "ProvisionedThroughputExceededException", "Slowly.");
}

TEST_F(FaultOperations, ABatchIsThrottledInPartOrAsAWhole) {
  constexpr char kWrite[] = R"({"RequestItems":{"app":[
      {"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"N":"1"}}}},
      {"DeleteRequest":{"Key":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]}})";
  api_.Rule(R"({"key":{"PK":{"S":"b"}}})",
            R"({"throttle":"TableWriteProvisionedThroughputExceeded"})");
  api_.Answers("BatchWriteItem", kWrite,
               R"({"UnprocessedItems":{"app":[
                   {"DeleteRequest":{"Key":{"PK":{"S":"b"},"SK":{"N":"1"}}}}]}})");
  EXPECT_EQ(Fired(), "1/1");
  api_.Rule("{}", R"({"throttle":"TableWriteProvisionedThroughputExceeded"})");
  EXPECT_EQ(api_.Call("BatchWriteItem", kWrite).http_status, 400);
  EXPECT_EQ(Fired(), "1/1");
  api_.Rule(R"({"table":"app"})", R"({"throttle":"TableWriteProvisionedThroughputExceeded"})");
  EXPECT_EQ(api_.Call("BatchWriteItem", kWrite).http_status, 400);
  EXPECT_EQ(Fired(), "2/2");
  api_.Rule(R"({"key":{"PK":{"S":"a"}}})",
            R"({"throttle":"TableReadProvisionedThroughputExceeded"})");
  api_.Answers("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[
      {"PK":{"S":"a"},"SK":{"N":"1"}},{"PK":{"S":"b"},"SK":{"N":"1"}}]}}})",
               R"({"Responses":{"app":[]},
                   "UnprocessedKeys":{"app":{"Keys":[{"PK":{"S":"a"},"SK":{"N":"1"}}]}}})");
}

TEST_F(FaultOperations, AThrottledMemberCancelsATransaction) {
  constexpr char kWrite[] = R"({"TransactItems":[
      {"Put":{"TableName":"app","Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}},
      {"Delete":{"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]})";
  api_.Rule(R"({"key":{"PK":{"S":"a"}}})",
            R"({"throttle":"TableWriteKeyRangeThroughputExceeded"})");
  const std::string body = api_.Fails("TransactWriteItems", kWrite, "TransactionCanceledException",
                                      std::string(kCancelled) + "[None, ThrottlingError]");
  EXPECT_NE(body.find(std::string(R"("CancellationReasons":[{"Code":"None"},)"
                                  R"({"Code":"ThrottlingError","Message":")")
                          .append(kHot)
                          .append(R"("}])")),
            std::string::npos)
      << body;
  // An error of the whole call is an error of its first member.
  api_.Rule("{}", R"({"throttle":"TableWriteProvisionedThroughputExceeded"})");
  api_.Fails("TransactWriteItems", kWrite, "TransactionCanceledException",
             std::string(kCancelled) + "[ProvisionedThroughputExceeded, None]");
  api_.Rule("{}", R"({"throttle":"TableReadProvisionedThroughputExceeded"})");
  api_.Fails("TransactGetItems", R"({"TransactItems":[
      {"Get":{"TableName":"app","Key":{"PK":{"S":"b"},"SK":{"N":"1"}}}},
      {"Get":{"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]})",
             "TransactionCanceledException",
             std::string(kCancelled) + "[ProvisionedThroughputExceeded, None]");
  api_.Fails("ExecuteTransaction",
             R"({"TransactStatements":[{"Statement":"SELECT * FROM app WHERE PK='a' AND SK=1"}]})",
             "TransactionCanceledException",
             std::string(kCancelled) + "[ProvisionedThroughputExceeded]");
}

TEST_F(FaultOperations, AStatementOfABatchFailsAlone) {
  api_.Rule(R"({"key":{"PK":{"S":"b"}}})",
            R"({"throttle":"TableReadMaxOnDemandThroughputExceeded"})");
  api_.Answers("BatchExecuteStatement", R"({"Statements":[
      {"Statement":"SELECT * FROM app WHERE PK='a' AND SK=1"},
      {"Statement":"SELECT * FROM app WHERE PK='b' AND SK=1"}]})",
               std::string(R"({"Responses":[{"TableName":"app","Item":)")
                   .append(kItem)
                   .append(R"(},{"TableName":"app","Error":{"Code":"ThrottlingError",
        "Message":"Throughput exceeds the maximum OnDemandThroughput configured on table or index"}}]})"));
}

TEST_F(FaultOperations, WritesAndTransactionsConflict) {
  api_.Rule("{}", R"({"conflict":true})");
  for (const auto& [operation, request] : kSingleReads) api_.Ok(operation, request);
  for (const auto& [operation, request] : kSingleWrites) {
    if (std::string_view(operation) == "BatchWriteItem") {
      api_.Answers(operation, request,
                   std::string(R"({"UnprocessedItems":{"app":[{"PutRequest":{"Item":)")
                       .append(kItem)
                       .append("}}]}}"));
    } else {
      api_.Fails(operation, request, "TransactionConflictException", kConflict);
    }
  }
  EXPECT_EQ(Fired(), "5/5");
  api_.Fails("TransactGetItems",
             std::string(R"({"TransactItems":[{"Get":)").append(kKey).append("}]}"),
             "TransactionCanceledException", std::string(kCancelled) + "[TransactionConflict]");
  api_.Rule(R"({"key":{"PK":{"S":"a"},"SK":{"N":"1"}},"times":1})", R"({"conflict":true})");
  constexpr char kWrite[] = R"({"TransactItems":[
      {"Put":{"TableName":"app","Item":{"PK":{"S":"b"},"SK":{"N":"1"}}}},
      {"Delete":{"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}}}]})";
  const std::string body = api_.Fails("TransactWriteItems", kWrite, "TransactionCanceledException",
                                      std::string(kCancelled) + "[None, TransactionConflict]");
  EXPECT_NE(body.find(R"({"Code":"TransactionConflict",)"
                      R"("Message":"Transaction is ongoing for the item."})"),
            std::string::npos);
  api_.Ok("TransactWriteItems", kWrite);
}

// Checks of a request precede the faults at its items; faults of the whole call precede the checks.
TEST_F(FaultOperations, ARefusedRequestIsNotThrottled) {
  constexpr char kBadKey[] = R"({"TableName":"app","Key":{"PK":{"S":"a"}}})";
  api_.Rule("{}", R"({"throttle":"TableReadKeyRangeThroughputExceeded"})");
  api_.Fails("GetItem", kBadKey, "ValidationException",
             "The provided key element does not match the schema");
  EXPECT_EQ(Fired(), "0/0");
  api_.Rule("{}", R"({"error":{"type":"UnrecognizedClientException"}})");
  api_.Fails("GetItem", kBadKey, "UnrecognizedClientException",
             "The security token included in the request is invalid.");
}

TEST_F(FaultOperations, TablesAreManagedUnderFaultsToo) {
  constexpr char kTable[] = R"({"TableName":"app"})";
  api_.Rule(R"({"operation":"DescribeTable","table":"app","times":1})",
            R"({"error":{"type":"ThrottlingException"}})");
  api_.Fails("DescribeTable", kTable, "ThrottlingException", "Rate exceeded");
  api_.Ok("DescribeTable", kTable);
  api_.Rule(R"({"operation":"CreateTable","table":"app2"})", R"({"status":500})");
  const std::string other = std::string(kIndexedTable).replace(14, 3, "app2");
  EXPECT_EQ(api_.Call("CreateTable", other).http_status, 500);
  api_.Control("DELETE", "faults");
  api_.Ok("CreateTable", other);
  api_.Rule(R"({"table":"app"})", R"({"error":{"type":"ResourceInUseException"}})");
  api_.Fails("DeleteTable", kTable, "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being updated: app");
  api_.Fails("ListTagsOfResource",
             R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})",
             "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being updated: app");
  api_.Ok("DescribeTable", R"({"TableName":"app2"})");
  api_.Ok("ListTables", "{}");
  api_.Rule(R"({"table":"app","index":"GSI1"})", R"({"status":500})");
  api_.Ok("DescribeTable", kTable);
}

TEST_F(FaultOperations, ARuleAboutATableMeetsEachOperationOnIt) {
  api_.Ok("UpdateTable", R"({"TableName":"app","StreamSpecification":
      {"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
  api_.Ok("UpdateTable", R"({"TableName":"app","VectorIndexUpdates":[{"Create":{"IndexName":"vix",
      "VectorAttribute":{"AttributeName":"v"},"Dimensions":1,"DistanceFunction":"COSINE",
      "Projection":{"ProjectionType":"KEYS_ONLY"}}}]})");
  const auto text = [](const std::string& body, const std::string& member) {
    const std::string begin = "\"" + member + "\":\"";
    const std::size_t at = body.find(begin) + begin.size();
    return body.substr(at, body.find('"', at) - at);
  };
  const std::string stream =
      text(api_.Ok("DescribeTable", R"({"TableName":"app"})"), "LatestStreamArn");
  const std::string in_stream = R"({"StreamArn":")" + stream + "\"";
  const std::string shard = text(api_.Ok("DescribeStream", in_stream + "}"), "ShardId");
  const std::string get_iterator =
      in_stream + R"(,"ShardIteratorType":"TRIM_HORIZON","ShardId":")" + shard + "\"}";
  const std::string iterator = text(api_.Ok("GetShardIterator", get_iterator), "ShardIterator");
  const std::string arn = R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app")";
  const std::string of_table_arn =
      R"({"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})";
  const std::string of_destination =
      R"({"TableName":"app","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/s"})";
  const std::string put_in = R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})";
  const std::pair<std::string, std::string> calls[] = {
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT * FROM app WHERE PK='a' AND SK=1"}]})"},
      {"BatchGetItem", kSingleReads[3].request},
      {"BatchWriteItem", kSingleWrites[3].request},
      {"CreateGlobalTable", R"({"GlobalTableName":"app","ReplicationGroup":[]})"},
      {"CreateTable", kIndexedTable},
      {"DeleteItem", kKey},
      {"DeleteResourcePolicy", "{" + arn + "}"},
      {"DeleteTable", R"({"TableName":"app"})"},
      {"DescribeContinuousBackups", R"({"TableName":"app"})"},
      {"DescribeContributorInsights", R"({"TableName":"app"})"},
      {"DescribeGlobalTable", R"({"GlobalTableName":"app"})"},
      {"DescribeGlobalTableSettings", R"({"GlobalTableName":"app"})"},
      {"DescribeKinesisStreamingDestination", R"({"TableName":"app"})"},
      {"DescribeStream", in_stream + "}"},
      {"DisableKinesisStreamingDestination", of_destination},
      {"EnableKinesisStreamingDestination", of_destination},
      {"DescribeTable", R"({"TableName":"app"})"},
      {"DescribeTable", R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})"},
      {"DescribeTableReplicaAutoScaling", R"({"TableName":"app"})"},
      {"DescribeTimeToLive", R"({"TableName":"app"})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE PK='a'"})"},
      {"ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE PK='a' AND SK=1"})"},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"SELECT * FROM app WHERE PK='a' AND SK=1"}]})"},
      {"GetItem", kKey},
      {"GetRecords", R"({"ShardIterator":")" + iterator + "\"}"},
      {"GetResourcePolicy", "{" + arn + "}"},
      {"GetShardIterator", get_iterator},
      {"ListBackups", R"({"TableName":"app"})"},
      {"ListContributorInsights", R"({"TableName":"app"})"},
      {"ListExports", of_table_arn},
      {"ListImports", of_table_arn},
      {"ListStreams", R"({"TableName":"app"})"},
      {"ListTagsOfResource", "{" + arn + "}"},
      {"PutItem", kPutWithoutIndex},
      {"PutResourcePolicy", "{" + arn + R"(,"Policy":"{}"})"},
      {"Query", kSingleReads[1].request},
      {"Scan", R"({"TableName":"app","IndexName":"GSI1"})"},
      {"SearchVectors",
       R"({"TableName":"app","IndexName":"vix","SearchVector":[{"N":"1"}],"TopK":1})"},
      {"TagResource", "{" + arn + R"(,"Tags":[{"Key":"k","Value":"v"}]})"},
      {"TransactGetItems", std::string(R"({"TransactItems":[{"Get":)") + kKey + "}]}"},
      {"TransactWriteItems", R"({"TransactItems":[{"Put":)" + put_in + "}]}"},
      {"UntagResource", "{" + arn + R"(,"TagKeys":["k"]})"},
      {"UpdateContinuousBackups",
       R"({"TableName":"app","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"},
      {"UpdateContributorInsights", R"({"TableName":"app","ContributorInsightsAction":"DISABLE"})"},
      {"UpdateGlobalTable", R"({"GlobalTableName":"app","ReplicaUpdates":[]})"},
      {"UpdateGlobalTableSettings", R"({"GlobalTableName":"app"})"},
      {"UpdateItem", kKey},
      {"UpdateKinesisStreamingDestination",
       R"({"TableName":"app","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/s",)"
       R"("UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}})"},
      {"UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":false})"},
      {"UpdateTableReplicaAutoScaling", R"({"TableName":"app"})"},
      {"UpdateTimeToLive",
       R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}})"},
  };
  std::set<std::string> met;
  for (const auto& [operation, request] : calls) {
    api_.Rule(R"({"table":"app"})", R"({"status":500})");
    EXPECT_EQ(api_.Call(operation, request).http_status, 500) << operation << " " << request;
    EXPECT_EQ(Fired(), "1/1") << operation;
    met.insert(operation);
    if (operation == "DeleteTable") continue;
    api_.Rule(R"({"table":"another"})", R"({"status":500})");
    EXPECT_NE(api_.Call(operation, request).http_status, 500) << operation;
    EXPECT_EQ(Fired(), "0/0") << operation;
  }
  const std::set<std::string> without_table = {"DescribeEndpoints", "DescribeLimits",
                                               "ListBulkOperations", "ListGlobalTables",
                                               "ListTables"};
  for (const char* const operation : kOperations) {
    const std::string name = operation;
    EXPECT_NE(met.contains(name), without_table.contains(name)) << name;
  }
}

TEST_F(FaultOperations, ABatchOfOneMemberIsNotLeftUnprocessed) {
  api_.Rule(R"({"table":"app"})", R"({"unprocessed":1})");
  api_.Answers("BatchWriteItem", kSingleWrites[3].request, R"({"UnprocessedItems":{}})");
  EXPECT_EQ(Fired(), "0/0");
}

TEST_F(FaultOperations, ATextThatIsNoArnNamesNoTable) {
  api_.Rule(R"({"table":"app"})", R"({"status":500})");
  EXPECT_EQ(api_.Call("GetRecords", R"({"ShardIterator":"app"})").http_status, 400);
  EXPECT_EQ(api_.Call("ListTagsOfResource", R"({"ResourceArn":"app"})").http_status, 400);
  EXPECT_EQ(Fired(), "0/0");
}

TEST_F(FaultOperations, ARuleAppliesToItsAccountAndRegion) {
  api_.Rule(R"({"account":"111122223333","region":"eu-west-1"})", R"({"status":500})");
  EXPECT_EQ(api_.Call("ListTables", "{}").http_status, 200);
  api_.SignAs("111122223333", "us-east-1");
  EXPECT_EQ(api_.Call("ListTables", "{}").http_status, 200);
  api_.SignAs("111122223333", "eu-west-1");
  EXPECT_EQ(api_.Call("ListTables", "{}").http_status, 500);
}

TEST_F(FaultOperations, KeysAndPrefixesSelectItems) {
  api_.Rule(R"({"key_prefix":{"PK":"USER#"}})", R"({"throttle":"TableWriteAccountLimitExceeded"})");
  const auto put = [&](const char* pk) {
    return api_
        .Call("PutItem", std::string(R"({"TableName":"app","Item":{"PK":{"S":")")
                             .append(pk)
                             .append(R"("},"SK":{"N":"1"}}})"))
        .http_status;
  };
  EXPECT_EQ(put("USER#1"), 400);
  EXPECT_EQ(put("USER"), 200);
  EXPECT_EQ(put("ORDER#1"), 200);
  api_.Rule(R"({"key":{"SK":{"N":"1.0"}}})", R"({"throttle":"TableReadAccountLimitExceeded"})");
  EXPECT_EQ(api_.Call("GetItem", kKey).http_status, 400);
  EXPECT_EQ(api_.Call("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"2"}}})")
                .http_status,
            200);
}

}  // namespace
}  // namespace hashrange
