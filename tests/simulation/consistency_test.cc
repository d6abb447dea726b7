// What reads see of tables that lag, operation by operation.
#include "simulation/consistency.h"

#include <gtest/gtest.h>

#include <string>

#include "operation/caller.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr AccountName kAccount{kDefaultAccount, "us-east-1"};
constexpr DelayRange kOneSecond{1000, 1000};

constexpr char kTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
    {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
    {"AttributeName":"l","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}],
  "LocalSecondaryIndexes":[{"IndexName":"byL","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                 {"AttributeName":"l","KeyType":"RANGE"}]}]})";

// A read of everything in the partition "a" of the table or an index, or of the item a/1.
struct ReadRow {
  const char* operation;
  const char* request;
  const char* nothing;  // the answer while there is none
  const char* item;     // the answer with the item
};

const ReadRow kEventualReads[] = {
    {"GetItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})", "{}",
     R"({"Item":{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}})"},
    {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"pk":{"S":"a"},"sk":{"S":"1"}}]}}})",
     R"({"Responses":{"app":[]},"UnprocessedKeys":{}})",
     R"({"Responses":{"app":[{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}]},
         "UnprocessedKeys":{}})"},
    {"Query",
     R"({"TableName":"app","KeyConditionExpression":"pk = :a",
         "ExpressionAttributeValues":{":a":{"S":"a"}}})",
     R"({"Items":[],"Count":0,"ScannedCount":0})",
     R"({"Items":[{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}],
         "Count":1,"ScannedCount":1})"},
    {"Query",
     R"({"TableName":"app","IndexName":"byL","KeyConditionExpression":"pk = :a",
         "ExpressionAttributeValues":{":a":{"S":"a"}}})",
     R"({"Items":[],"Count":0,"ScannedCount":0})",
     R"({"Items":[{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}],
         "Count":1,"ScannedCount":1})"},
    {"Scan", R"({"TableName":"app"})", R"({"Items":[],"Count":0,"ScannedCount":0})",
     R"({"Items":[{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}],
         "Count":1,"ScannedCount":1})"},
    {"ExecuteStatement", R"({"Statement":"SELECT sk FROM app WHERE pk = 'a' AND sk = '1'"})",
     R"({"Items":[]})", R"({"Items":[{"sk":{"S":"1"}}]})"},
    {"ExecuteStatement", R"({"Statement":"SELECT sk FROM app WHERE pk = 'a'"})", R"({"Items":[]})",
     R"({"Items":[{"sk":{"S":"1"}}]})"},
    {"ExecuteStatement", R"({"Statement":"SELECT sk FROM app"})", R"({"Items":[]})",
     R"({"Items":[{"sk":{"S":"1"}}]})"},
    {"ExecuteStatement", R"({"Statement":"SELECT sk FROM \"app\".\"byL\" WHERE pk = 'a'"})",
     R"({"Items":[]})", R"({"Items":[{"sk":{"S":"1"}}]})"},
    {"BatchExecuteStatement",
     R"({"Statements":[{"Statement":"SELECT sk FROM app WHERE pk = 'a' AND sk = '1'"}]})",
     R"({"Responses":[{"TableName":"app"}]})",
     R"({"Responses":[{"TableName":"app","Item":{"sk":{"S":"1"}}}]})"},
};

const ReadRow kConsistentReads[] = {
    {"GetItem",
     R"({"TableName":"app","ConsistentRead":true,"Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})", "{}",
     R"({"Item":{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}})"},
    {"BatchGetItem",
     R"({"RequestItems":{"app":{"ConsistentRead":true,
         "Keys":[{"pk":{"S":"a"},"sk":{"S":"1"}}]}}})",
     R"({"Responses":{"app":[]},"UnprocessedKeys":{}})",
     R"({"Responses":{"app":[{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}]},
         "UnprocessedKeys":{}})"},
    {"Query",
     R"({"TableName":"app","KeyConditionExpression":"pk = :a","ConsistentRead":true,
         "Select":"COUNT","ExpressionAttributeValues":{":a":{"S":"a"}}})",
     R"({"Count":0,"ScannedCount":0})", R"({"Count":1,"ScannedCount":1})"},
    {"Query",
     R"({"TableName":"app","IndexName":"byL","KeyConditionExpression":"pk = :a","Select":"COUNT",
         "ConsistentRead":true,"ExpressionAttributeValues":{":a":{"S":"a"}}})",
     R"({"Count":0,"ScannedCount":0})", R"({"Count":1,"ScannedCount":1})"},
    {"Scan", R"({"TableName":"app","ConsistentRead":true,"Select":"COUNT"})",
     R"({"Count":0,"ScannedCount":0})", R"({"Count":1,"ScannedCount":1})"},
    {"ExecuteStatement",
     R"({"Statement":"SELECT sk FROM app WHERE pk = 'a' AND sk = '1'","ConsistentRead":true})",
     R"({"Items":[]})", R"({"Items":[{"sk":{"S":"1"}}]})"},
    {"ExecuteStatement",
     R"({"Statement":"SELECT sk FROM app WHERE pk = 'a'","ConsistentRead":true})",
     R"({"Items":[]})", R"({"Items":[{"sk":{"S":"1"}}]})"},
    {"BatchExecuteStatement",
     R"({"Statements":[{"ConsistentRead":true,
         "Statement":"SELECT sk FROM app WHERE pk = 'a' AND sk = '1'"}]})",
     R"({"Responses":[{"TableName":"app"}]})",
     R"({"Responses":[{"TableName":"app","Item":{"sk":{"S":"1"}}}]})"},
    {"TransactGetItems",
     R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},
         "ProjectionExpression":"sk"}}]})",
     R"({"Responses":[{}]})", R"({"Responses":[{"Item":{"sk":{"S":"1"}}}]})"},
    {"ExecuteTransaction",
     R"({"TransactStatements":[{"Statement":"SELECT sk FROM app WHERE pk = 'a' AND sk = '1'"}]})",
     R"({"Responses":[{}]})", R"({"Responses":[{"Item":{"sk":{"S":"1"}}}]})"},
};

const ReadRow kIndexReads[] = {
    {"Query",
     R"({"TableName":"app","IndexName":"byG","KeyConditionExpression":"g = :g",
         "ExpressionAttributeValues":{":g":{"S":"g"}},"Select":"COUNT"})",
     R"({"Count":0,"ScannedCount":0})", R"({"Count":1,"ScannedCount":1})"},
    {"Scan", R"({"TableName":"app","IndexName":"byG","Select":"COUNT"})",
     R"({"Count":0,"ScannedCount":0})", R"({"Count":1,"ScannedCount":1})"},
    {"ExecuteStatement", R"({"Statement":"SELECT sk FROM \"app\".\"byG\" WHERE g = 'g'"})",
     R"({"Items":[]})", R"({"Items":[{"sk":{"S":"1"}}]})"},
};

class ConsistencyTest : public ::testing::Test {
 protected:
  ConsistencyTest() { api_.Ok("CreateTable", kTable); }

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
  template <std::size_t N>
  void ExpectAll(const ReadRow (&rows)[N], bool sees_item) {
    for (const ReadRow& row : rows) {
      api_.Answers(row.operation, row.request, sees_item ? row.item : row.nothing);
    }
  }
  // How many items a count of the index sees.
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

TEST_F(ConsistencyTest, StaleReadsSeeThePastAndOthersThePresent) {
  ASSERT_TRUE(Set({.stale_reads = kOneSecond}));
  Put("1");
  ExpectAll(kEventualReads, false);
  ExpectAll(kConsistentReads, true);
  ExpectAll(kIndexReads, true);
  api_.clock().Advance(999);
  ExpectAll(kEventualReads, false);
  api_.clock().Advance(1);
  ExpectAll(kEventualReads, true);
  Delete("1");
  ExpectAll(kEventualReads, true);
  ExpectAll(kConsistentReads, false);
  ExpectAll(kIndexReads, false);
  api_.clock().Advance(1000);
  ExpectAll(kEventualReads, false);
}

TEST_F(ConsistencyTest, GlobalIndexesLagByTheirOwnTime) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  ExpectAll(kEventualReads, true);
  ExpectAll(kConsistentReads, true);
  ExpectAll(kIndexReads, false);
  api_.clock().Advance(1000);
  ExpectAll(kIndexReads, true);
  Delete("1");
  ExpectAll(kIndexReads, true);
  ExpectAll(kEventualReads, false);
  api_.clock().Advance(1000);
  ExpectAll(kIndexReads, false);
}

TEST_F(ConsistencyTest, ConditionsSeeThePresent) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .stale_reads = kOneSecond}));
  Put("1");
  api_.Fails("PutItem",
             R"j({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":"1"}},
                 "ConditionExpression":"attribute_not_exists(pk)"})j",
             "ConditionalCheckFailedException", "The conditional request failed");
  api_.Answers("UpdateItem",
               R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}},
                   "UpdateExpression":"ADD n :one","ReturnValues":"UPDATED_NEW",
                   "ExpressionAttributeValues":{":one":{"N":"1"}}})",
               R"({"Attributes":{"n":{"N":"1"}}})");
  ExpectAll(kEventualReads, false);
}

TEST_F(ConsistencyTest, WhatWasThereBeforeIsThePast) {
  Put("0");
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .stale_reads = kOneSecond}));
  Put("1");
  Delete("0");
  const char* const past =
      R"({"Items":[{"pk":{"S":"a"},"sk":{"S":"0"},"g":{"S":"g"},"l":{"S":"l"}}],
          "Count":1,"ScannedCount":1})";
  api_.Answers("Scan", R"({"TableName":"app"})", past);
  api_.Answers("Scan", R"({"TableName":"app","IndexName":"byG"})", past);
  api_.Answers("Scan", R"({"TableName":"app","IndexName":"byL"})", past);
  api_.clock().Advance(1000);
  ExpectAll(kEventualReads, true);
  ExpectAll(kIndexReads, true);
}

TEST_F(ConsistencyTest, PastIsPagedAndChargedAsTheTable) {
  ASSERT_TRUE(Set({.stale_reads = kOneSecond}));
  for (const char* sk : {"1", "2", "3"}) Put(sk);
  api_.clock().Advance(1000);
  Delete("2");
  api_.Answers("Query",
               R"({"TableName":"app","KeyConditionExpression":"pk = :a","Limit":1,
                   "ExpressionAttributeValues":{":a":{"S":"a"}},"ProjectionExpression":"sk",
                   "ReturnConsumedCapacity":"INDEXES"})",
               R"({"Items":[{"sk":{"S":"1"}}],"Count":1,"ScannedCount":1,
                   "LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"S":"1"}},
                   "ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5,
                     "Table":{"CapacityUnits":0.5}}})");
  api_.Answers("Query",
               R"({"TableName":"app","IndexName":"byL","KeyConditionExpression":"pk = :a",
                   "ExclusiveStartKey":{"pk":{"S":"a"},"sk":{"S":"1"},"l":{"S":"l"}},"Limit":1,
                   "ExpressionAttributeValues":{":a":{"S":"a"}},"ProjectionExpression":"sk",
                   "ReturnConsumedCapacity":"INDEXES"})",
               R"({"Items":[{"sk":{"S":"2"}}],"Count":1,"ScannedCount":1,
                   "LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"S":"2"},"l":{"S":"l"}},
                   "ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5,
                     "Table":{"CapacityUnits":0},
                     "LocalSecondaryIndexes":{"byL":{"CapacityUnits":0.5}}}})");
}

TEST_F(ConsistencyTest, CountsAreTheTablesOwn) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .stale_reads = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  const std::string description = api_.Ok("DescribeTable", R"({"TableName":"app"})");
  EXPECT_EQ(description.find(R"("ItemCount":0)"), std::string::npos) << description;
  EXPECT_NE(description.find(R"("ItemCount":1)"), std::string::npos) << description;
}

TEST_F(ConsistencyTest, WhatExpiresStaysVisibleForAsLong) {
  api_.Ok("UpdateTimeToLive", R"({"TableName":"app","TimeToLiveSpecification":
    {"AttributeName":"t","Enabled":true}})");
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},
    "t":{"N":"1700000000"}}})");
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  api_.clock().Advance(2000);
  api_.time_to_live().Sweep();
  api_.Answers("GetItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})", "{}");
  EXPECT_EQ(CountByIndex(), 1);
  api_.clock().Advance(1000);
  EXPECT_EQ(CountByIndex(), 0);
}

TEST_F(ConsistencyTest, ShorterLagIsThatOfTheChangesToCome) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  ASSERT_TRUE(Set({.index_lag = DelayRange{10, 10}}));
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"b"},"sk":{"S":"1"},"g":{"S":"g"}}})");
  Put("2");
  api_.clock().Advance(10);
  // The collection b has overtaken; in a, the second waits for the first.
  EXPECT_EQ(CountByIndex(), 1);
  api_.clock().Advance(990);
  EXPECT_EQ(CountByIndex(), 3);
}

TEST_F(ConsistencyTest, WithoutLagReadsSeeThePresentAtOnce) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .stale_reads = kOneSecond}));
  Put("1");
  ExpectAll(kEventualReads, false);
  ASSERT_TRUE(Set({.stale_reads = DelayRange{}}));
  ExpectAll(kEventualReads, true);
  ExpectAll(kIndexReads, false);
  ASSERT_TRUE(Set({.index_lag = DelayRange{}}));
  ExpectAll(kIndexReads, true);
  const TableRef table = api_.engine().catalog().Find(kAccount, "app");
  EXPECT_EQ(table->settings.lag, nullptr);
  EXPECT_FALSE(table->IsLogged());
  // What was drawn when it lagged before is forgotten.
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  EXPECT_EQ(CountByIndex(), 1);
  EXPECT_EQ(consistency_.Clear({}), 1u);
  EXPECT_EQ(consistency_.Clear({}), 0u);
  EXPECT_FALSE(api_.engine().catalog().Find(kAccount, "app")->IsLogged());
}

TEST_F(ConsistencyTest, NoTableNoLag) {
  EXPECT_FALSE(consistency_.Set(kAccount, "other", {.index_lag = kOneSecond}));
  EXPECT_FALSE(consistency_.Set({"111122223333", "us-east-1"}, "app", {.index_lag = kOneSecond}));
  ASSERT_TRUE(Set({.index_lag = DelayRange{}}));
  EXPECT_EQ(api_.engine().catalog().Find(kAccount, "app")->settings.lag, nullptr);
}

TEST_F(ConsistencyTest, LagGoesWithItsTable) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.Ok("CreateTable", kTable);
  Put("1");
  EXPECT_EQ(CountByIndex(), 1);
  EXPECT_TRUE(consistency_.Tables({}).empty());
}

TEST_F(ConsistencyTest, IndexAddedMeanwhileLagsAsTheOthers) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  api_.clock().Advance(500);
  api_.Ok("UpdateTable", R"({"TableName":"app",
    "AttributeDefinitions":[{"AttributeName":"l","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"newer",
      "KeySchema":[{"AttributeName":"l","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"}}}]})");
  Put("2");
  EXPECT_EQ(CountByIndex("newer"), 0);
  api_.clock().Advance(500);
  EXPECT_EQ(CountByIndex("newer"), 1);
  EXPECT_EQ(CountByIndex(), 1);
  api_.Ok("UpdateTable", R"({"TableName":"app",
    "GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byG"}}]})");
  EXPECT_EQ(CountByIndex("newer"), 1);
  api_.clock().Advance(500);
  EXPECT_EQ(CountByIndex("newer"), 2);
}

// A lag that is set while the table is UPDATING is there when it is ACTIVE again, and while.
TEST(ConsistencyInTransition, LagIsSetForWhatTheTableBecomes) {
  Api api({.transition_ms = 5000});
  Consistency consistency(api.engine());
  api.Ok("CreateTable", kTable);
  api.clock().Advance(5000);
  api.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PROVISIONED",
    "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
    "GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"byG",
      "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}}]})");
  ASSERT_TRUE(consistency.Set(kAccount, "app", {.stale_reads = kOneSecond}));
  const char* const put = R"({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":"1"}}})";
  const char* const count = R"({"TableName":"app","Select":"COUNT"})";
  api.Ok("PutItem", put);
  api.Answers("Scan", count, R"({"Count":0,"ScannedCount":0})");
  api.clock().Advance(5000);
  api.Answers("Scan", count, R"({"Count":1,"ScannedCount":1})");
  api.Ok("DeleteItem", R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})");
  api.Answers("Scan", count, R"({"Count":1,"ScannedCount":1})");
}

// A copy of the version, as of a fork, shares nothing with the table it was made of.
TEST_F(ConsistencyTest, CopyOfATableHasNoPartInItsLag) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  Catalog& catalog = api_.engine().catalog();
  const auto pins = catalog.Pin({.table = "app"});
  ASSERT_EQ(pins.size(), 1u);
  auto copy = std::make_unique<TableVersion>(*pins[0].version);
  copy->region = "eu-west-1";
  const TableRef same_lag = catalog.Prepare(std::make_unique<TableVersion>(*copy), &pins[0]);
  EXPECT_EQ(TableLag::Of(*same_lag), nullptr);
  EXPECT_EQ(same_lag->settings.lag->PastOf(*same_lag, &same_lag->indexes[0]), nullptr);

  copy->settings.lag = copy->settings.lag->Anew();
  const TableRef own_lag = catalog.Prepare(std::move(copy), &pins[0]);
  ASSERT_TRUE(catalog.Exchange({}, {&own_lag, 1}));
  api_.SignAs("AKIDEXAMPLE", "eu-west-1");
  EXPECT_EQ(CountByIndex(), 1);
  Put("2");
  EXPECT_EQ(CountByIndex(), 1);
  api_.clock().Advance(1000);
  EXPECT_EQ(CountByIndex(), 2);
}

TEST_F(ConsistencyTest, TablesThatLagAreDescribed) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .seed = 7}));
  Put("1");
  const auto tables = consistency_.Tables({});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].table->name, "app");
  EXPECT_EQ(tables[0].index_lag, kOneSecond);
  EXPECT_EQ(tables[0].stale_reads, DelayRange());
  EXPECT_EQ(tables[0].seed, 7u);
  EXPECT_EQ(tables[0].waiting_for_indexes, 1u);
  EXPECT_EQ(tables[0].waiting_for_items, 0u);
  EXPECT_TRUE(consistency_.Tables({.region = "eu-west-1"}).empty());
}

// When nobody reads and too much waits, changes are seen before their time, in order.
TEST_F(ConsistencyTest, TooMuchThatWaitsIsSeenEarly) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("0");
  EXPECT_EQ(CountByIndex(), 0);
  const std::string large(390'000, 'x');
  const std::size_t writes = DelayedChanges::kMostBytes / (2 * large.size()) + 2;
  for (std::size_t i = 0; i < writes; ++i) {
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"b"},"sk":{"S":"1"},"g":{"S":"g"},
      "v":{"S":")" + large +
                           R"("},"n":{"N":")" + std::to_string(i) + R"("}}})");
  }
  EXPECT_LT(consistency_.Tables({})[0].waiting_for_indexes, writes + 1);
  EXPECT_GT(CountByIndex(), 0);
  api_.clock().Advance(1000);
  EXPECT_EQ(CountByIndex(), 2);
  EXPECT_EQ(consistency_.Tables({})[0].waiting_for_indexes, 0u);
}

}  // namespace
}  // namespace hashrange
