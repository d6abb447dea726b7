// Time to live and tags while the table's status changes, and expired items as operations on items
// see them.
#include "engine/ttl/time_to_live.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr std::int64_t kTtlTransitionMs = 1000;
constexpr char kTtlTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},
                          {"AttributeName":"g","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],"Tags":[{"Key":"a","Value":"1"}],
  "GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"g",
    "KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})";
constexpr char kTtlName[] = R"({"TableName":"app"})";
constexpr char kEnableTtl[] =
    R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})";
constexpr char kDisableTtl[] =
    R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":false,"AttributeName":"ttl"}})";
constexpr char kEnabled[] =
    R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})";
constexpr char kDisabled[] = R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})";

constexpr char kTtlArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
constexpr char kListTags[] =
    R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})";
constexpr char kTag[] = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",
  "Tags":[{"Key":"b","Value":"2"}]})";
constexpr char kUntag[] = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",
  "TagKeys":["b"]})";

// Returns a request to PutItem. The clock of Api begins at 1,700,000,000 s.
std::string Put(const std::string& key, const std::string& ttl) {
  return R"({"TableName":"app","Item":{"k":{"S":")" + key + R"("},"g":{"S":"g"},"ttl":)" + ttl +
         "}}";
}

class TimeToLiveOperations : public testing::Test {
 protected:
  TimeToLiveOperations() {
    api_.Ok("CreateTable", kTtlTable);
    Settle();
  }
  void Settle() { api_.clock().Advance(kTtlTransitionMs); }
  void ExpectCount(int count) {
    const std::string text = std::to_string(count);
    for (const char* index : {"", R"(,"IndexName":"gsi")"}) {
      api_.Answers("Scan", std::string(R"({"TableName":"app","Select":"COUNT")") + index + "}",
                   R"({"Count":)" + text + R"(,"ScannedCount":)" + text + "}");
    }
  }
  bool IsActive() {
    return api_.Ok("DescribeTable", kTtlName).find(R"("TableStatus":"ACTIVE")") !=
           std::string::npos;
  }

  Api api_{{.transition_ms = kTtlTransitionMs}};
};

TEST_F(TimeToLiveOperations, ExpiredItemsAreReadAndWrittenUntilTheyAreSwept) {
  api_.Ok("PutItem", Put("before", R"({"N":"1699999999"})"));
  api_.Ok("UpdateTimeToLive", kEnableTtl);
  EXPECT_TRUE(IsActive());
  const std::vector<std::string> times = {R"({"N":"1699999999.5"})", R"({"N":"16E8"})",
                                          R"({"S":"1"})", R"({"N":"1700000009"})",
                                          R"({"N":"1400000000"})"};
  for (std::size_t i = 0; i < times.size(); ++i) {
    api_.Ok("PutItem", Put(std::to_string(i), times[i]));
  }
  ExpectCount(6);
  api_.Answers("GetItem", R"({"TableName":"app","Key":{"k":{"S":"before"}}})",
               R"({"Item":{"k":{"S":"before"},"g":{"S":"g"},"ttl":{"N":"1699999999"}}})");
  api_.Ok("UpdateItem", R"({"TableName":"app","Key":{"k":{"S":"before"}},
    "UpdateExpression":"REMOVE #t","ExpressionAttributeNames":{"#t":"ttl"}})");
  api_.time_to_live().Sweep();
  ExpectCount(4);
  api_.clock().Advance(10'000);
  api_.time_to_live().Sweep();
  ExpectCount(3);
}

TEST_F(TimeToLiveOperations, BatchesAndTransactionsAreFollowed) {
  api_.Ok("UpdateTimeToLive", kEnableTtl);
  const std::string item = R"({"k":{"S":"1"},"g":{"S":"g"},"ttl":{"N":"1600000000"}})";
  api_.Ok("BatchWriteItem", R"({"RequestItems":{"app":[{"PutRequest":{"Item":)" + item + "}}]}}");
  api_.Ok("TransactWriteItems", R"({"TransactItems":[
    {"Update":{"TableName":"app","Key":{"k":{"S":"1"}},"UpdateExpression":"ADD n :o",
      "ExpressionAttributeValues":{":o":{"N":"1"}}}},
    {"Put":{"TableName":"app","Item":{"k":{"S":"2"},"g":{"S":"g"},"ttl":{"N":"1600000000"}}}}]})");
  ExpectCount(2);
  api_.time_to_live().Sweep();
  ExpectCount(0);
}

TEST_F(TimeToLiveOperations, NeitherWaitsForTheTableNorHoldsItUp) {
  constexpr char kProvision[] = R"({"TableName":"app","BillingMode":"PROVISIONED",
    "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
    "GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"gsi",
      "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}}]})";
  api_.Ok("UpdateTable", kProvision);
  EXPECT_FALSE(IsActive());
  api_.Ok("UpdateTimeToLive", kEnableTtl);
  api_.Ok("PutItem", Put("1", R"({"N":"1600000000"})"));
  api_.Answers("DescribeTimeToLive", kTtlName, kEnabled);
  api_.Ok("TagResource", kTag);
  EXPECT_FALSE(IsActive());
  api_.time_to_live().Sweep();
  ExpectCount(0);
  Settle();
  EXPECT_TRUE(IsActive());
  api_.Answers("DescribeTimeToLive", kTtlName, kEnabled);
  api_.Answers("ListTagsOfResource", kListTags,
               R"({"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"}]})");
  api_.Ok("PutItem", Put("2", R"({"N":"1600000000"})"));
  api_.time_to_live().Sweep();
  ExpectCount(0);
  api_.Ok("UpdateTimeToLive", kDisableTtl);
  api_.Answers("DescribeTimeToLive", kTtlName, kDisabled);
}

TEST_F(TimeToLiveOperations, ATableBeingCreatedOrDeletedHasNoTimeToLiveToChange) {
  api_.Ok("UpdateTimeToLive", kEnableTtl);
  api_.Ok("DeleteTable", kTtlName);
  api_.Fails("DescribeTimeToLive", kTtlName, "ValidationException",
             "Cannot describe time to live while table is in DELETING state: Current table state "
             "is DELETING");
  api_.Fails("UpdateTimeToLive", kDisableTtl, "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being deleted: app");
  Settle();
  for (const char* operation : {"DescribeTimeToLive", "UpdateTimeToLive"}) {
    api_.Fails(operation, kEnableTtl, "ResourceNotFoundException",
               "Requested resource not found: Table: app not found");
  }
  api_.Ok("CreateTable", kTtlTable);
  api_.Fails("DescribeTimeToLive", kTtlName, "ValidationException",
             "Cannot describe time to live while table is in CREATING state: Current table state "
             "is CREATING");
  api_.Fails("UpdateTimeToLive", kEnableTtl, "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table app is being created");
  Settle();
  api_.Answers("DescribeTimeToLive", kTtlName, kDisabled);
}

TEST_F(TimeToLiveOperations, TagsExistAsLongAsTheTable) {
  const auto expect_none = [this] {
    api_.Fails("ListTagsOfResource", kListTags, "AccessDeniedException",
               std::string("User: arn:aws:iam::000000000000:root is not authorized to perform: "
                           "dynamodb:ListTagsOfResource on resource: ") +
                   kTtlArn);
    api_.Fails("TagResource", kTag, "ResourceNotFoundException",
               std::string("Requested resource not found: ResourcArn: ") + kTtlArn + " not found");
    api_.Fails("UntagResource", kUntag, "ResourceNotFoundException",
               "Requested resource not found");
  };
  EXPECT_EQ(api_.Ok("TagResource", kTag), "");
  EXPECT_EQ(api_.Ok("UntagResource", kUntag), "");
  EXPECT_TRUE(IsActive());
  api_.Ok("DeleteTable", kTtlName);
  expect_none();
  Settle();
  expect_none();
  api_.Ok("CreateTable", kTtlTable);
  expect_none();
  Settle();
  api_.Answers("ListTagsOfResource", kListTags, R"({"Tags":[{"Key":"a","Value":"1"}]})");
}

TEST(TimeToLiveAccounts, AnArnBelongsToOneAccountAndRegion) {
  Api api;
  api.SignAs("111122223333", "eu-west-1");
  api.Ok("CreateTable", kTtlTable);
  api.Fails("ListTagsOfResource", kListTags, "AccessDeniedException", "Access is denied");
  const std::string own = "arn:aws:dynamodb:eu-west-1:111122223333:table/app";
  const auto list = [](const std::string& arn) { return R"({"ResourceArn":")" + arn + "\"}"; };
  api.Answers("ListTagsOfResource", list(own), R"({"Tags":[{"Key":"a","Value":"1"}]})");
  const std::string elsewhere = "arn:aws:dynamodb:eu-west-2:111122223333:table/app";
  api.Fails("ListTagsOfResource", list(elsewhere), "ValidationException",
            "Invalid TableArn: Invalid ResourceArn provided as input " + elsewhere);
  const std::string enable = R"(","TimeToLiveSpecification":{"Enabled":true,
    "AttributeName":"ttl"}})";
  api.Ok("UpdateTimeToLive", R"({"TableName":")" + own + enable);
  api.Fails("UpdateTimeToLive", R"({"TableName":")" + elsewhere + enable, "ValidationException",
            "1 validation error detected: Invalid AWS region in '" + elsewhere + "'");
}

// Of many calls at once one succeeds, and the table is watched once.
TEST(TimeToLiveConcurrency, OneOfManyCallsChangesIt) {
  Api api;
  api.Ok("CreateTable", kTtlTable);
  for (int round = 0; round < 20; ++round) {
    for (const char* request : {kEnableTtl, kDisableTtl}) {
      std::atomic<int> succeeded = 0;
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
          succeeded += api.Call("UpdateTimeToLive", request).http_status == 200;
          api.time_to_live().Sweep();
        });
      }
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(succeeded, 1);
    }
  }
}

}  // namespace
}  // namespace hashrange
