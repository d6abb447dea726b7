#include "lab/run/answer/answer_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

using Kind = LabAnswer::Kind;

TEST(AnswerReader, ReadsAPageOfAQuery) {
  const std::string body =
      R"({"Items":[{"PK":{"S":"a"}},{"PK":{"S":"b"}}],"Count":2,"ScannedCount":7,)"
      R"("LastEvaluatedKey":{"PK":{"S":"b"}},"ConsumedCapacity":{"TableName":"shop","CapacityUnits":1.5}})";
  const LabAnswer answer = ReadLabAnswer(200, body);
  EXPECT_EQ(answer.kind, Kind::kOk);
  EXPECT_EQ(answer.items, 2U);
  EXPECT_EQ(answer.units, 1.5);
  EXPECT_EQ(answer.last_evaluated_key, R"({"PK":{"S":"b"}})");
  EXPECT_EQ(answer.unprocessed, "");
}

TEST(AnswerReader, IsNotMisledByDataThatLooksLikeMembers) {
  // The key ends with a backslash, and has a quote and what looks like a member.
  const std::string key = R"({"PK":{"S":"x\",\"Count\":99,\"ConsumedCapacity\":{\\"}})";
  const std::string body = R"({"Items":[)" + key + R"(],"Count":1,"ScannedCount":1,)" +
                           R"("LastEvaluatedKey":)" + key +
                           R"(,"ConsumedCapacity":{"TableName":"t","CapacityUnits":0.5}})";
  const LabAnswer answer = ReadLabAnswer(200, body);
  EXPECT_EQ(answer.items, 1U);
  EXPECT_EQ(answer.units, 0.5);
  EXPECT_EQ(answer.last_evaluated_key, key);
}

TEST(AnswerReader, CountsTheItemOfAGet) {
  const std::string capacity = R"("ConsumedCapacity":{"TableName":"t","CapacityUnits":0.5}})";
  EXPECT_EQ(ReadLabAnswer(200, R"({"Item":{"PK":{"S":"a"}},)" + capacity).items, 1U);
  EXPECT_EQ(ReadLabAnswer(200, R"({"Item":{"PK":{"S":"a"}},)" + capacity).units, 0.5);
  EXPECT_EQ(ReadLabAnswer(200, "{" + capacity).items, 0U);
  EXPECT_EQ(ReadLabAnswer(200, "{" + capacity).units, 0.5);
  EXPECT_EQ(ReadLabAnswer(200, R"({"Item":{"PK":{"S":"a"}}})").items, 1U);
  EXPECT_EQ(ReadLabAnswer(200, "{}").items, 0U);
}

TEST(AnswerReader, ReadsABatchThatWasNotFinished) {
  const std::string body =
      R"({"Responses":{"shop":[{"PK":{"S":"a"},"m":{"M":{"x":{"S":"}"}}}},{"PK":{"S":"b"}}],"other":[]},)"
      R"("UnprocessedKeys":{"shop":{"Keys":[{"PK":{"S":"c"}}]}},)"
      R"("ConsumedCapacity":[{"TableName":"shop","CapacityUnits":1.0},{"TableName":"other","CapacityUnits":2.5}]})";
  const LabAnswer answer = ReadLabAnswer(200, body);
  EXPECT_EQ(answer.items, 2U);
  EXPECT_EQ(answer.units, 3.5);
  EXPECT_EQ(answer.unprocessed, R"({"shop":{"Keys":[{"PK":{"S":"c"}}]}})");
}

TEST(AnswerReader, ReadsATransactionOfReads) {
  const std::string body =
      R"({"Responses":[{"Item":{"PK":{"S":"a"}}},{},{"Item":{"PK":{"S":"b"}}}],)"
      R"("ConsumedCapacity":[{"TableName":"shop","CapacityUnits":6.0,"ReadCapacityUnits":6.0}]})";
  EXPECT_EQ(ReadLabAnswer(200, body).items, 2U);
  EXPECT_EQ(ReadLabAnswer(200, body).units, 6);
}

TEST(AnswerReader, AddsUnitsOfIndexesOnce) {
  const std::string body =
      R"({"ConsumedCapacity":{"TableName":"t","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},)"
      R"("GlobalSecondaryIndexes":{"GSI1":{"CapacityUnits":2.0}}}})";
  EXPECT_EQ(ReadLabAnswer(200, body).units, 3);
}

TEST(AnswerReader, ReadsASearchAndTheVectorsOfWrites) {
  const LabAnswer search = ReadLabAnswer(
      200, R"({"SearchResults":[{"Item":{"PK":{"S":"a,b"}},"Score":0.1},{"Item":{},"Score":1}],)"
           R"("ConsumedCapacity":{"VectorSearchRequestBytes":13648.5}})");
  EXPECT_EQ(search.items, 2U);
  EXPECT_EQ(search.units, 0);
  EXPECT_EQ(search.vector_bytes, 13648.5);
  const LabAnswer write = ReadLabAnswer(
      200, R"({"ConsumedCapacity":[{"TableName":"t","CapacityUnits":2.0,"Table":)"
           R"({"CapacityUnits":2.0},"VectorIndexes":{"one":{"VectorWriteRequestBytes":1024.0},)"
           R"("two":{"VectorWriteRequestBytes":2000.0}}},{"TableName":"u","CapacityUnits":1.0}]})");
  EXPECT_EQ(write.units, 3);
  EXPECT_EQ(write.vector_bytes, 3024);
}

TEST(AnswerReader, TellsErrorsApart) {
  const auto kind = [](const std::string& name, const std::string& message) {
    return ReadLabAnswer(400, R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name +
                                  R"(","message":")" + message + "\"}")
        .kind;
  };
  EXPECT_EQ(kind("ThrottlingException", "x"), Kind::kThrottled);
  EXPECT_EQ(kind("ProvisionedThroughputExceededException", "x"), Kind::kThrottled);
  EXPECT_EQ(kind("ConditionalCheckFailedException", "x"), Kind::kCondition);
  EXPECT_EQ(kind("ValidationException", "ThrottlingError"), Kind::kError);
  const std::string cancelled = "TransactionCanceledException";
  EXPECT_EQ(kind(cancelled, "[None, ThrottlingError]"), Kind::kThrottled);
  EXPECT_EQ(kind(cancelled, "[ConditionalCheckFailed, ThrottlingError]"), Kind::kCondition);
  EXPECT_EQ(kind(cancelled, "[ValidationError]"), Kind::kError);
}

TEST(AnswerReader, CountsElementsOfNestedLists) {
  EXPECT_EQ(ReadLabAnswer(200, R"({"Items":[]})").items, 0U);
  EXPECT_EQ(ReadLabAnswer(200, R"({"Items":[{"a":[1,2]},{"b":"],["}]})").items, 2U);
}

}  // namespace
}  // namespace hashrange
