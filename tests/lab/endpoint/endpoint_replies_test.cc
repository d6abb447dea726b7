#include "lab/endpoint/endpoint_replies.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

using std::chrono::milliseconds;

TEST(ReplyQueue, AReplyThatCameBeforeIsTaken) {
  const Instant begin = Instant() + milliseconds(100);
  ReplyQueue queue;
  EXPECT_FALSE(queue.TakeIfBefore(begin));
  queue.Push({.request = 1, .came = begin, .reply = {}});
  queue.Push({.request = 2, .came = begin + milliseconds(5), .reply = {}});
  EXPECT_FALSE(queue.TakeIfBefore(begin));
  const auto first = queue.TakeIfBefore(begin + milliseconds(1));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->request, 1U);
  EXPECT_FALSE(queue.TakeIfBefore(begin + milliseconds(1)));
  const auto second = queue.TakeUntil(begin);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->request, 2U);
}

using Kind = LabAnswer::Kind;

std::string TextOf(const ServiceReply& reply) {
  const EndpointAnswer read(reply);
  const LabAnswer& answer = read.answer();
  return std::to_string(static_cast<int>(answer.kind)) + " " + std::to_string(answer.items) + " " +
         (read.has_units() ? std::to_string(answer.units) : "no units") + " key " +
         std::string(answer.last_evaluated_key) + " left " + std::string(answer.unprocessed);
}

std::string TextOfBody(const std::string& body) {
  return TextOf({.status = 200, .body = body, .error = {}, .message = {}});
}

TEST(EndpointAnswer, MembersMayStandInAnyOrderWithBlanks) {
  EXPECT_EQ(TextOfBody(R"( { "ConsumedCapacity" : {"CapacityUnits":1.5,"TableName":"t"},
                          "Count":2,"Items":[{"a":{"S":"\""}},{}],"ScannedCount":9,
                          "LastEvaluatedKey":{"a":{"N":"1.0"}}} )"),
            R"(0 2 1.500000 key {"a":{"N":"1.0"}} left )");
  EXPECT_EQ(TextOfBody(R"({"Items":[{},{},{}],"Count":2})"), "0 2 no units key  left ");
  EXPECT_EQ(TextOfBody(R"({"Item":{"ConsumedCapacity":{"S":"x"}}})"), "0 1 no units key  left ");
  EXPECT_EQ(TextOfBody("{}"), "0 0 no units key  left ");
}

TEST(EndpointAnswer, UnitsOfAllTablesAreAddedUp) {
  EXPECT_EQ(
      TextOfBody(R"({"ConsumedCapacity":[{"CapacityUnits":2.0,"Table":{"CapacityUnits":1.0}},)"
                 R"({"TableName":"u","CapacityUnits":1e1}],"UnprocessedItems":{}})"),
      "0 0 12.000000 key  left ");
  EXPECT_EQ(TextOfBody(R"({"ConsumedCapacity":[]})"), "0 0 no units key  left ");
  EXPECT_EQ(TextOfBody(R"({"ConsumedCapacity":null})"), "0 0 no units key  left ");
}

TEST(EndpointAnswer, BatchesAndTransactions) {
  EXPECT_EQ(
      TextOfBody(R"({"Responses":{"t":[{},{}],"u":[{}]},"UnprocessedKeys":{"t":{"Keys":[]}}})"),
      R"(0 3 no units key  left {"t":{"Keys":[]}})");
  EXPECT_EQ(TextOfBody(R"({"Responses":[{"Item":{}},{},{"Item":{"a":{"S":"1"}}}]})"),
            "0 2 no units key  left ");
}

TEST(EndpointAnswer, SearchesAndVectorsOfWrites) {
  const auto vectors = [](const std::string& body) {
    return EndpointAnswer({.status = 200, .body = body, .error = {}, .message = {}})
        .answer()
        .vector_bytes;
  };
  const std::string search =
      R"({"SearchResults":[{"Item":{},"Score":0.5}],"ConsumedCapacity":{"VectorSearchRequestBytes":1024}})";
  EXPECT_EQ(TextOfBody(search), "0 1 0.000000 key  left ");
  EXPECT_EQ(vectors(search), 1024);
  EXPECT_EQ(vectors(R"({"ConsumedCapacity":[{"CapacityUnits":1.0,"VectorIndexes":{"a":)"
                    R"({"VectorWriteRequestBytes":1100.0},"b":{"VectorWriteRequestBytes":1.5e3}}},)"
                    R"({"CapacityUnits":1.0,"VectorIndexes":[]}]})"),
            2600);
  EXPECT_EQ(vectors(R"({"ConsumedCapacity":null})"), 0);
}

TEST(EndpointAnswer, ErrorsHaveTheirKinds) {
  const auto kind = [](int status, const std::string& error, const std::string& message = "") {
    return EndpointAnswer({.status = status, .body = "{", .error = error, .message = message})
        .answer()
        .kind;
  };
  EXPECT_EQ(kind(400, "ProvisionedThroughputExceededException"), Kind::kThrottled);
  EXPECT_EQ(kind(400, "ConditionalCheckFailedException"), Kind::kCondition);
  EXPECT_EQ(kind(400, "TransactionCanceledException", "[None, ThrottlingError]"), Kind::kThrottled);
  EXPECT_EQ(kind(400, "TransactionCanceledException", "[ConditionalCheckFailed]"),
            Kind::kCondition);
  EXPECT_EQ(kind(400, "ValidationException"), Kind::kError);
  EXPECT_EQ(kind(500, "InternalServerError"), Kind::kBroken);
  EXPECT_EQ(kind(503, ""), Kind::kBroken);
  EXPECT_EQ(kind(0, ""), Kind::kBroken);
  EXPECT_EQ(kind(200, ""), Kind::kBroken);  // no JSON
  EXPECT_EQ(kind(403, ""), Kind::kError);
}

}  // namespace
}  // namespace hashrange
