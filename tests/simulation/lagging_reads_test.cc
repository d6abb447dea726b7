// Tests which reads see the past of a table that lags, for every operation that reads.
#include <gtest/gtest.h>

#include <string>

#include "simulation/consistency_fixture.h"

namespace hashrange {
namespace {

// A read of everything in the partition "a" of the table or an index, or of the item a/1.
struct ReadRow {
  const char* operation;
  const char* request;
  const char* nothing;  // the answer while there is no item
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

class LaggingReadsTest : public ConsistencyTest {
 protected:
  template <std::size_t N>
  void ExpectAll(const ReadRow (&rows)[N], bool sees_item) {
    for (const ReadRow& row : rows) {
      api_.Answers(row.operation, row.request, sees_item ? row.item : row.nothing);
    }
  }
};

TEST_F(LaggingReadsTest, StaleReadsSeeThePastAndOthersThePresent) {
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

TEST_F(LaggingReadsTest, GlobalIndexesLagByTheirOwnTime) {
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

TEST_F(LaggingReadsTest, ConditionsSeeThePresent) {
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

}  // namespace
}  // namespace hashrange
