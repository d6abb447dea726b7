#include "wire/error_body.h"

#include <gtest/gtest.h>

#include "base/checksums.h"
#include "wire/validation_layer.h"

namespace hashrange {
namespace {

std::string BodyOf(const Error& error) {
  OutputBuffer body;
  WriteErrorBody(error, body);
  return std::string(body.view());
}

TEST(ErrorBody, WithoutMessageIsTheTypeAlone) {
  // The service sent these checksums (docs/service/01-wire-protocol.md, section 2).
  const std::string serialization = BodyOf(Error{ErrorCode::kSerializationException, {}, nullptr});
  EXPECT_EQ(serialization, R"({"__type":"com.amazon.coral.service#SerializationException"})");
  EXPECT_EQ(Crc32(serialization), 3948637019u);
  const std::string unknown = BodyOf(Error{ErrorCode::kUnknownOperationException, {}, nullptr});
  EXPECT_EQ(unknown, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(Crc32(unknown), 1368724161u);
}

TEST(ErrorBody, SpellsTheMessageMemberAsTheServiceDoes) {
  EXPECT_EQ(BodyOf(ValidationError("a \"b\"")),
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"a \"b\""})");
  EXPECT_EQ(BodyOf(Error{ErrorCode::kSerializationException, "x", nullptr}),
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"x"})");
}

TEST(ErrorBody, CarriesTheItemOfAFailedCondition) {
  const Error error{ErrorCode::kConditionalCheckFailedException, "The conditional request failed",
                    std::make_shared<ItemDetails>(R"({"pk":{"S":"a"}})")};
  EXPECT_EQ(BodyOf(error),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Message":"The conditional request failed","Item":{"pk":{"S":"a"}}})");
}

TEST(ErrorBody, ListsTheReasonsOfACancellation) {
  const Error error = TransactionCanceled(
      {{}, {"ConditionalCheckFailed", "The conditional request failed", R"({"pk":{"S":"a"}})"}});
  EXPECT_EQ(BodyOf(error),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
            R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
            R"(reasons [None, ConditionalCheckFailed]","CancellationReasons":[{"Code":"None"},)"
            R"({"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},)"
            R"("Message":"The conditional request failed"}]})");
}

// Only in a ThrottlingException the member begins with a small letter
// (docs/service/20-partition-model.md, section 3).
TEST(ErrorBody, SaysWhyItThrottled) {
  auto details = std::make_shared<ThrottlingDetails>();
  details->reasons = {{"TableWriteKeyRangeThroughputExceeded", "arn:t"}, {"IndexWrite", "arn:i"}};
  const std::string list =
      R"([{"reason":"TableWriteKeyRangeThroughputExceeded","resource":"arn:t"},)"
      R"({"reason":"IndexWrite","resource":"arn:i"}]})";
  EXPECT_EQ(BodyOf(Error{ErrorCode::kThrottlingException, "m", details}),
            R"({"__type":"com.amazon.coral.availability#ThrottlingException","message":"m",)"
            R"("throttlingReasons":)" +
                list);
  EXPECT_EQ(BodyOf(Error{ErrorCode::kRequestLimitExceeded, "m", details}),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded","message":"m",)"
            R"("ThrottlingReasons":)" +
                list);
}

TEST(ErrorBody, ServiceUnavailableIsAPage) {
  EXPECT_EQ(BodyOf(Error{ErrorCode::kServiceUnavailable, {}, nullptr}),
            "<html><body><b>Http/1.1 Service Unavailable</b></body> </html>");
}

TEST(ValidationLayer, OnlyTheEnvelopedLayerEnvelopesValidationErrors) {
  EXPECT_EQ(Enveloped(ValidationLayer::kEnveloped, ValidationError("m")).message,
            "1 validation error detected: m");
  EXPECT_EQ(Enveloped(ValidationLayer::kBare, ValidationError("m")).message, "m");
  EXPECT_EQ(Enveloped(ValidationLayer::kOlder, ValidationError("m")).message, "m");
  const Error other{ErrorCode::kResourceNotFoundException, "m", nullptr};
  EXPECT_EQ(Enveloped(ValidationLayer::kEnveloped, other).message, "m");
}

}  // namespace
}  // namespace hashrange
