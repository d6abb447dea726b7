#include "base/error.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

// The cases are one code of each kind of row, the first and the last row among them.
TEST(Error, CodesFindTheirRows) {
  constexpr std::string_view kCoral = "com.amazon.coral.service";
  constexpr std::string_view kDynamoDb = "com.amazonaws.dynamodb.v20120810";
  const struct {
    ErrorCode code;
    ErrorInfo info;
  } kRows[] = {
      {ErrorCode::kValidationException,
       {"ValidationException", 400, "com.amazon.coral.validate", "message"}},
      {ErrorCode::kSerializationException, {"SerializationException", 400, kCoral, "Message"}},
      {ErrorCode::kUnknownOperationException,
       {"UnknownOperationException", 400, kCoral, "message"}},
      {ErrorCode::kConditionalCheckFailedException,
       {"ConditionalCheckFailedException", 400, kDynamoDb, "message"}},
      {ErrorCode::kTransactionCanceledException,
       {"TransactionCanceledException", 400, kDynamoDb, "Message"}},
      {ErrorCode::kResourceNotFoundException,
       {"ResourceNotFoundException", 400, kDynamoDb, "message"}},
      {ErrorCode::kInternalServerError, {"InternalServerError", 500, kDynamoDb, "message"}},
      {ErrorCode::kServiceUnavailable, {"ServiceUnavailable", 503, kCoral, ""}},
  };
  for (const auto& [code, expected] : kRows) {
    const ErrorInfo& found = ErrorInfoOf(code);
    EXPECT_EQ(found.name, expected.name);
    EXPECT_EQ(found.http_status, expected.http_status) << expected.name;
    EXPECT_EQ(found.type_namespace, expected.type_namespace) << expected.name;
    EXPECT_EQ(found.message_member, expected.message_member) << expected.name;
    EXPECT_EQ(FindErrorCode(expected.name), code);
  }
}

TEST(Error, UnknownNamesHaveNoCode) {
  EXPECT_FALSE(FindErrorCode(""));
  EXPECT_FALSE(FindErrorCode("validationexception"));
}

TEST(Error, ValidationErrorsCarryTheirText) {
  const Error error = ValidationError("text");
  EXPECT_EQ(error.code, ErrorCode::kValidationException);
  EXPECT_EQ(error.message, "text");
  EXPECT_EQ(error.details, nullptr);
}

}  // namespace
}  // namespace hashrange
