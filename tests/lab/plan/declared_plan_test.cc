#include "lab/plan/planner.h"

#include <gtest/gtest.h>

#include "plan_text.h"

namespace hashrange {
namespace {

std::string LabText(const std::string& serve) {
  return R"(
lab: 1
entities:
  Customer: {count: 10, attributes: {customer_id: {sequence: 4}, joined: {time: {past: 9d}}, name: {text: 9}}}
access_patterns:
  it: {query: Customer, by: [customer_id], limit: 7, rate: 1/s}
layouts:
  one:
    tables: {tab: {key: [pk], indexes: {Idx: {key: [ik]}}, items: {Customer: {pk: "C#{customer_id}", ik: "I#{shard(name, 4)}"}}}}
    serve: {it: )" +
         serve + "}\n";
}

std::string ServedText(const std::string& serve) {
  const LabFile file = FileOf(LabText(serve));
  if (file.layouts.empty()) return "";
  const Result<LayoutPlan> plan = PlanLayout(file, 0);
  if (!plan.ok()) return plan.error().message;
  return PlanText(file, plan->patterns.front());
}

TEST(DeclaredPlan, PlaceholdersOfTheCallerBecomeSlots) {
  EXPECT_EQ(ServedText(R"([{GetItem: {TableName: tab, Key: {pk: {S: "C#{customer_id}"}}}}])"),
            R"(declared
> GetItem {"TableName":"tab","Key":{"pk":{"S":"C#{customer_id}"}},"ReturnConsumedCapacity":"TOTAL"}
+ The layout says the requests itself, under `serve`
)");
}

TEST(DeclaredPlan, AQueryIsPagedUnlessItHasALimitAndAShardFansOut) {
  EXPECT_EQ(
      ServedText(
          R"([{Query: {TableName: tab, IndexName: Idx, KeyConditionExpression: "ik = :i", ExpressionAttributeValues: {":i": {S: "I#{shard(name, 4)}"}}}}, {Scan: {TableName: tab, Limit: 3, ReturnConsumedCapacity: NONE}}])"),
      R"(declared
> Query x4 to 7 {"TableName":"tab","IndexName":"Idx","KeyConditionExpression":"ik = :i","ExpressionAttributeValues":{":i":{"S":"I#{shard}"}},"ReturnConsumedCapacity":"TOTAL"}
> Scan {"TableName":"tab","Limit":3,"ReturnConsumedCapacity":"NONE"}
+ The layout says the requests itself, under `serve`
)");
}

TEST(DeclaredPlan, TheTimeOfTheCallHasAPlaceholder) {
  EXPECT_EQ(
      ServedText(
          R"([{GetItem: {TableName: tab, Key: {pk: {S: "{customer_id}#{now - 7d:month}#{{now}}#{now}"}, b: {S: "{ now + 90m }"}}}}])"),
      R"(declared
> GetItem {"TableName":"tab","Key":{"pk":{"S":"{customer_id}#{now - 7d:month}#{now}#{now}"},"b":{"S":"{now + 90m}"}},"ReturnConsumedCapacity":"TOTAL"}
+ The layout says the requests itself, under `serve`
)");
  EXPECT_EQ(
      ServedText(
          R"([{GetItem: {TableName: tab, Key: {pk: {N: "{now:seconds}"}, b: {N: "{now - 7d: milliseconds}"}}}}])"),
      R"(declared
> GetItem {"TableName":"tab","Key":{"pk":{"N":"{now:seconds}"},"b":{"N":"{now - 7d:milliseconds}"}},"ReturnConsumedCapacity":"TOTAL"}
+ The layout says the requests itself, under `serve`
)");
  EXPECT_EQ(ServedText(R"([{GetItem: {TableName: tab, Key: {pk: {S: "{now - 7x}"}}}}])"),
            "test.yaml:10:18: Customer has no attribute \"now - 7x\"; known are \"customer_id\", "
            "\"joined\" and \"name\"");
}

TEST(DeclaredPlan, WhatCannotBeUnderstoodIsRefusedWithItsPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[{Scan: {TableName: u}}]", "the layout has no table u"},
      {"[{Query: {TableName: tab, IndexName: J}}]", "the table tab has no index J"},
      {R"([{GetItem: {TableName: tab, Key: {pk: {S: "{name}"}}}}])",
       "the caller of it does not know name"},
      {"[{Scan: {TableNam: tab}}]",
       R"(the request of Scan has no member "TableNam"; did you mean "TableName"? Known are )"
       R"("Select", "IndexName", "TotalSegments", "ReturnConsumedCapacity", "TableName", )"
       R"("ConditionalOperator", "ScanFilter", "Segment", "Limit", "AttributesToGet", )"
       R"("ExclusiveStartKey", "ProjectionExpression", "FilterExpression", )"
       R"("ExpressionAttributeNames", "ExpressionAttributeValues" and "ConsistentRead")"},
      {"[{GetItem: {TableName: tab}}]", R"(the request of GetItem needs the member "Key")"},
      {"[{TransactGetItems: {TransactItems: [{Get: {TableName: tab, Keys: {}}}]}}]",
       R"(Get of TransactGetItems has no member "Keys"; did you mean "Key"? Known are "Key", )"
       R"("TableName", "ProjectionExpression" and "ExpressionAttributeNames")"},
  };
  for (const auto& [serve, sentence] : cases) {
    EXPECT_EQ(ServedText(serve), "test.yaml:10:18: in the layout \"one\", " + sentence) << serve;
  }
}

}  // namespace
}  // namespace hashrange
