// Tests of the control API's call `explain`: whole answers, and that it changes and counts nothing.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "control/state_fixture.h"

namespace hashrange {
namespace {

class ExplainCalls : public StateFixture {
 protected:
  ExplainCalls() { MakeApp(kA); }

  std::string Explain(std::string_view operation, std::string_view input,
                      std::string_view account = kA) {
    return Post("explain", std::string(R"({"account":")")
                               .append(account)
                               .append(R"(","operation":")")
                               .append(operation)
                               .append(R"(","input":)")
                               .append(input)
                               .append("}"));
  }
};

TEST_F(ExplainCalls, AQueryOfAnIndexHasItsIntervalAndItsFilter) {
  EXPECT_EQ(
      Explain("Query",
              R"({"TableName":"app","IndexName":"byG","KeyConditionExpression":)"
              R"("G = :g AND SK BETWEEN :a AND :b","FilterExpression":"L > :l","Limit":2,)"
              R"("ProjectionExpression":"PK","ScanIndexForward":false,"ExpressionAttributeValues":)"
              R"({":g":{"S":"g"},":a":{"S":"1"},":b":{"S":"3"},":l":{"N":"2"}}})"),
      R"(200 {"operation":"Query","status":200,"read_units":0.5,"write_units":0.0,"accesses":[)"
      R"({"kind":"query","table":"app","index":"byG","key":"G = \"g\" AND SK BETWEEN \"1\" AND \"3\"",)"
      R"("filter":"L > ?","projection":"PK","limit":2,"backward":true,"units":0.5,)"
      R"("index_units":{"byG":0.5},"items_examined":2,"items_returned":1,"bytes_examined":22,)"
      R"("bytes_returned":3,"has_more":true}],"answer_bytes":120})");
}

TEST_F(ExplainCalls, AScanHasNoKey) {
  EXPECT_EQ(Explain("Scan", R"({"TableName":"app","ConsistentRead":true,"Select":"COUNT"})"),
            R"(200 {"operation":"Scan","status":200,"read_units":1.0,"write_units":0.0,)"
            R"("accesses":[{"kind":"scan","table":"app","counts_only":true,"consistent":true,)"
            R"("units":1.0,"index_units":{},"items_examined":3,"items_returned":3,)"
            R"("bytes_examined":33,"bytes_returned":0}],"answer_bytes":28})");
}

TEST_F(ExplainCalls, AWriteHasItsIndexEntries) {
  EXPECT_EQ(
      Explain("UpdateItem",
              R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},)"
              R"-("UpdateExpression":"SET G = :g","ConditionExpression":"attribute_exists(PK)",)-"
              R"("ExpressionAttributeValues":{":g":{"S":"other"}}})"),
      R"(200 {"operation":"UpdateItem","status":200,"read_units":0.0,"write_units":3.0,)"
      R"("accesses":[{"kind":"update","table":"app","key":"PK=p, SK=1",)"
      R"-("condition":"attribute_exists(PK)","update":"SET G = ?","units":3.0,)-"
      R"("index_units":{"byG":2.0},"bytes_before":11,"bytes_after":15,"indexes":[)"
      R"({"index":"byG","entry":"moved","units":2.0,"bytes_before":11,"bytes_after":15},)"
      R"({"index":"byL","entry":"unchanged","units":0.0,"bytes_before":9,"bytes_after":9}]}],)"
      R"("answer_bytes":2})");
}

TEST_F(ExplainCalls, SearchesAndWritesOfVectorsHaveTheBytesOfTheirIndexes) {
  Ok("CreateTable",
     R"({"TableName":"vec","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
     R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"t","AttributeType":"S"}],)"
     R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"VectorIndexes":[)"
     R"({"IndexName":"vix","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,)"
     R"("DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"},"SearchSchema":[)"
     R"({"AttributeName":"t","SearchSchemaElementType":"HASH"}]}]})",
     kA);
  const std::string put =
      R"({"TableName":"vec","Item":{"PK":{"S":"a"},"t":{"S":"x"},"e":{"L":[{"N":"1"},{"N":"0"}]}}})";
  EXPECT_EQ(Explain("PutItem", put),
            R"(200 {"operation":"PutItem","status":200,"read_units":0.0,"write_units":1.0,)"
            R"("accesses":[{"kind":"put","table":"vec","key":"PK=a","units":1.0,"index_units":{},)"
            R"("vector_bytes":{"vix":1024.0},"bytes_before":0,"bytes_after":14,"indexes":[]}],)"
            R"("answer_bytes":2})");
  Ok("PutItem", put, kA);
  EXPECT_EQ(
      Explain("SearchVectors",
              R"({"TableName":"vec","IndexName":"vix","SearchVector":[{"N":"1"},{"N":"0"}],)"
              R"("TopK":3,"SearchConditionExpression":"t = :t","ProjectionExpression":"PK",)"
              R"("ExpressionAttributeValues":{":t":{"S":"x"}}})"),
      R"(200 {"operation":"SearchVectors","status":200,"read_units":0.0,"write_units":0.0,)"
      R"("accesses":[{"kind":"search","table":"vec","index":"vix","filter":"t = ?",)"
      R"("projection":"PK","limit":3,"units":0.0,"index_units":{},"vector_bytes":{"vix":1024.0},)"
      R"("items_examined":1,"items_returned":1,"bytes_examined":8,"bytes_returned":5}],)"
      R"("answer_bytes":57})");
}

TEST_F(ExplainCalls, AConditionThatDoesNotHoldIsChargedAndWritesNothing) {
  EXPECT_EQ(Explain("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"1"}},)"
                               R"-("ConditionExpression":"attribute_not_exists(PK)"})-"),
            R"(200 {"operation":"PutItem","status":400,"read_units":0.0,"write_units":1.0,)"
            R"("accesses":[{"kind":"put","table":"app","key":"PK=p, SK=1",)"
            R"-("condition":"attribute_not_exists(PK)","units":1.0,"index_units":{},)-"
            R"("is_failed":true,"failure":"ConditionalCheckFailedException","bytes_before":11}],)"
            R"("answer_bytes":120,"error":)"
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("message":"The conditional request failed"}})");
}

TEST_F(ExplainCalls, ARequestThatIsWrongHasItsError) {
  EXPECT_EQ(Explain("GetItem", R"({"TableName":"none","Key":{"PK":{"S":"p"}}})"),
            R"(200 {"operation":"GetItem","status":400,"read_units":0.0,"write_units":0.0,)"
            R"("accesses":[],"answer_bytes":112,"error":)"
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found"}})");
}

TEST_F(ExplainCalls, OnlyOperationsOnItemsAreExplained) {
  EXPECT_EQ(Explain("CreateTable", "{}"),
            R"(400 {"error":"\"CreateTable\" is no operation that reads or writes items, such as )"
            R"(\"Query\" or \"PutItem\"."})");
  EXPECT_EQ(Explain("Nothing", "{}"),
            R"(400 {"error":"\"Nothing\" is no operation that reads or writes items, such as )"
            R"(\"Query\" or \"PutItem\"."})");
  EXPECT_EQ(Post("explain", R"({"operation":"Query"})"),
            R"(400 {"error":"\"input\" is missing in the body."})");
}

TEST_F(ExplainCalls, NothingIsChangedAndNothingIsCounted) {
  Post("requests", R"({"enabled":true})");
  Post("measurements", R"({"name":"all"})");
  const std::string stream = StreamArn(kA);
  const auto state = [&] { return Counts(kA) + " " + Records(stream, kA); };
  ASSERT_EQ(state(), "3 3 3 123");
  const std::string explained =
      Explain("BatchWriteItem",
              R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"PK":{"S":"q"},"SK":{"S":"9"},)"
              R"("G":{"S":"g"}}}},{"DeleteRequest":{"Key":{"PK":{"S":"p"},"SK":{"S":"1"}}}}]}})");
  EXPECT_NE(explained.find(R"("read_units":0.0,"write_units":5.0,)"), std::string::npos)
      << explained;
  EXPECT_EQ(state(), "3 3 3 123");
  EXPECT_NE(Control("GET", "requests?operation=BatchWriteItem").find(R"("requests":[])"),
            std::string::npos);
  const std::string measured = Control("GET", "measurements/all");
  EXPECT_EQ(measured.find("BatchWriteItem"), std::string::npos);
  EXPECT_NE(measured.find(R"("operation":"Scan")"), std::string::npos);
}

TEST_F(ExplainCalls, MembersThatAreNullAreAbsent) {
  EXPECT_EQ(Explain("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}},)"
                               R"("ConsistentRead":null,"ProjectionExpression":null})")
                .substr(0, 57),
            R"(200 {"operation":"GetItem","status":200,"read_units":0.5,)");
}

TEST_F(ExplainCalls, FaultsAndHoldsDoNotConcernIt) {
  Post("faults", R"({"rules":[{"match":{"operation":"GetItem"},"do":{"status":500}}]})");
  EXPECT_EQ(Explain("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}}})"),
            R"(200 {"operation":"GetItem","status":200,"read_units":0.5,"write_units":0.0,)"
            R"("accesses":[{"kind":"get","table":"app","key":"PK=p, SK=1","units":0.5,)"
            R"("index_units":{},"items_examined":1,"items_returned":1,"bytes_examined":11,)"
            R"("bytes_returned":11}],"answer_bytes":68})");
  EXPECT_NE(Control("GET", "faults").find(R"("hits":0,"matches":0)"), std::string::npos);
  EXPECT_EQ(Post("holds", R"({"account":")" + std::string(kA) +
                              R"(","table":"app","key":{"PK":{"S":"p"},"SK":{"S":"1"}}})")
                .substr(0, 4),
            "200 ");
  constexpr char kPut[] = R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"1"}}})";
  EXPECT_EQ(Call("PutItem", kPut, kA).substr(0, 4), "400 ");
  EXPECT_EQ(Explain("PutItem", kPut).substr(0, 40), R"(200 {"operation":"PutItem","status":200,)");
}

TEST_F(ExplainCalls, ActionsOfATransactionAreListedWithTheirFailures) {
  const std::string explained = Explain(
      "TransactWriteItems",
      R"({"TransactItems":[{"Delete":{"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}}}},)"
      R"({"Put":{"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"2"}},)"
      R"-("ConditionExpression":"attribute_not_exists(PK)"}}]})-");
  const std::size_t begin = explained.find(R"({"kind":"delete")");
  ASSERT_NE(begin, std::string::npos) << explained;
  const std::size_t second = explained.find(R"({"kind":"put")");
  ASSERT_NE(second, std::string::npos) << explained;
  // Another action was refused, and not this one.
  EXPECT_NE(explained.find(R"("is_failed":true,"bytes_before":)", begin), std::string::npos)
      << explained;
  EXPECT_LT(explained.find(R"("is_failed":true,"bytes_before":)", begin), second);
  EXPECT_NE(
      explained.find(R"("is_failed":true,"failure":"ConditionalCheckFailedException",)", second),
      std::string::npos);
}

TEST_F(ExplainCalls, AStatementHasItsWhere) {
  const std::string explained =
      Explain("ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE PK = 'p' AND L > 2"})");
  EXPECT_NE(explained.find(R"("key":"PK = \"p\"","where":"PK = ? AND L > ?",)"), std::string::npos)
      << explained;
  EXPECT_EQ(explained.find(R"("filter")"), std::string::npos);
}

TEST_F(ExplainCalls, EachAccountHasItsOwnTables) {
  EXPECT_NE(Explain("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}}})", kB)
                .find("ResourceNotFoundException"),
            std::string::npos);
  EXPECT_NE(Post("explain", R"({"account":"111122223333","region":"eu-west-1",)"
                            R"("operation":"Scan","input":{"TableName":"app"}})")
                .find("ResourceNotFoundException"),
            std::string::npos);
}

}  // namespace
}  // namespace hashrange
