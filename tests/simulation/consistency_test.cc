// Tests of lags that are set, changed and removed, while the table changes or is deleted.
#include "simulation/consistency.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "operation/read/read_lag.h"
#include "simulation/consistency_fixture.h"

namespace hashrange {
namespace {

TEST_F(ConsistencyTest, ReadsSeeTheItemsOfBeforeTheLag) {
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
  const char* const present =
      R"({"Items":[{"pk":{"S":"a"},"sk":{"S":"1"},"g":{"S":"g"},"l":{"S":"l"}}],
          "Count":1,"ScannedCount":1})";
  api_.Answers("Scan", R"({"TableName":"app"})", present);
  api_.Answers("Scan", R"({"TableName":"app","IndexName":"byG"})", present);
  api_.Answers("Scan", R"({"TableName":"app","IndexName":"byL"})", present);
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

TEST_F(ConsistencyTest, DescribedCountsAreOfThePresent) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .stale_reads = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  const std::string description = api_.Ok("DescribeTable", R"({"TableName":"app"})");
  EXPECT_EQ(description.find(R"("ItemCount":0)"), std::string::npos) << description;
  EXPECT_NE(description.find(R"("ItemCount":1)"), std::string::npos) << description;
}

TEST_F(ConsistencyTest, ExpiredItemStaysVisibleForTheLag) {
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

TEST_F(ConsistencyTest, ShorterLagAppliesToLaterChanges) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  ASSERT_TRUE(Set({.index_lag = DelayRange{10, 10}}));
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"b"},"sk":{"S":"1"},"g":{"S":"g"}}})");
  Put("2");
  api_.clock().Advance(10);
  // The change of collection b has overtaken; in a, the second change waits for the first.
  EXPECT_EQ(CountByIndex(), 1);
  api_.clock().Advance(990);
  EXPECT_EQ(CountByIndex(), 3);
}

TEST_F(ConsistencyTest, WithoutLagReadsSeeThePresentAtOnce) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond, .stale_reads = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex("byL"), 0);
  ASSERT_TRUE(Set({.stale_reads = DelayRange{}}));
  EXPECT_EQ(CountByIndex("byL"), 1);
  EXPECT_EQ(CountByIndex("byG"), 0);
  ASSERT_TRUE(Set({.index_lag = DelayRange{}}));
  EXPECT_EQ(CountByIndex("byG"), 1);
  const TableRef table = api_.engine().catalog().Find(kAccount, "app");
  EXPECT_EQ(table->settings.lag, nullptr);
  EXPECT_FALSE(table->IsLogged());
  // The delays of the earlier lag are forgotten.
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  EXPECT_EQ(CountByIndex(), 1);
  EXPECT_EQ(consistency_.Clear({}), 1u);
  EXPECT_EQ(consistency_.Clear({}), 0u);
  EXPECT_FALSE(api_.engine().catalog().Find(kAccount, "app")->IsLogged());
}

TEST_F(ConsistencyTest, MissingTableHasNoLag) {
  EXPECT_FALSE(consistency_.Set(kAccount, "other", {.index_lag = kOneSecond}));
  EXPECT_FALSE(consistency_.Set({"111122223333", "us-east-1"}, "app", {.index_lag = kOneSecond}));
  ASSERT_TRUE(Set({.index_lag = DelayRange{}}));
  EXPECT_EQ(api_.engine().catalog().Find(kAccount, "app")->settings.lag, nullptr);
}

TEST_F(ConsistencyTest, LagIsDroppedWithItsTable) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.Ok("CreateTable", kLaggingTable);
  Put("1");
  EXPECT_EQ(CountByIndex(), 1);
  EXPECT_TRUE(consistency_.Tables({}).empty());
}

TEST_F(ConsistencyTest, IndexAddedMeanwhileLagsLikeTheOthers) {
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

// A lag that is set while the table is UPDATING applies then, and when the table is ACTIVE again.
TEST(ConsistencyInTransition, LagIsKeptWhenTheTableBecomesActive) {
  Api api({.transition_ms = 5000});
  Consistency consistency(api.engine());
  api.Ok("CreateTable", kLaggingTable);
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

// A copy of the version, as a fork makes it, shares no lag with the table that was copied.
TEST_F(ConsistencyTest, CopyOfATableSharesNoLagWithIt) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("1");
  EXPECT_EQ(CountByIndex(), 0);
  Catalog& catalog = api_.engine().catalog();
  const auto pins = catalog.Pin({.table = "app"});
  ASSERT_EQ(pins.size(), 1u);
  auto copy = std::make_unique<TableVersion>(*pins[0].version);
  copy->region = "eu-west-1";
  const TableRef same_lag = catalog.Prepare(std::make_unique<TableVersion>(*copy), &pins[0]);
  EXPECT_EQ(same_lag->settings.lag->PastOf(*same_lag, &same_lag->indexes[0]), nullptr);

  copy->settings.lag = copy->settings.lag->CopyWithoutPast();
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

// When nobody reads and too many changes wait, changes are seen before they are due, in order.
TEST_F(ConsistencyTest, ChangesBeyondTheBoundAreSeenEarly) {
  ASSERT_TRUE(Set({.index_lag = kOneSecond}));
  Put("0");
  EXPECT_EQ(CountByIndex(), 0);
  const std::string large(390'000, 'x');
  const std::size_t writes = DelayedChanges::kMaxBytes / (2 * large.size()) + 2;
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
