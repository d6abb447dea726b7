// The steps before an operation runs, in the order of docs/service/01-wire-protocol.md, section 2.
#include "operation/dispatch.h"

#include <gtest/gtest.h>

#include <string>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "operation/call/caller.h"
#include "operation/call/operations.h"
#include "support/manual_durability.h"

namespace hashrange {
namespace {

constexpr char kNotJson[] = R"({"__type":"com.amazon.coral.service#SerializationException"})";
constexpr char kUnknown[] = R"({"__type":"com.amazon.coral.service#UnknownOperationException"})";
constexpr char kNotImplemented[] =
    R"({"__type":"com.amazon.coral.service#UnknownOperationException",)"
    R"("message":"Hashrange does not implement ImportTable."})";

struct Step {
  const char* target;
  const char* body;
  bool is_signed;
  int http_status;
  const char* answer;
};

const Step kSteps[] = {
    {"DynamoDB_20120810.ListTables", "{}", true, 200, R"({"TableNames":[]})"},
    {"DynamoDB_20120810.ListTables", R"({"Limit":null,"Unknown":{"a":[]}})", true, 200,
     R"({"TableNames":[]})"},
    {"DynamoDB_20120810.ListTables", "{", true, 400, kNotJson},
    {"DynamoDB_20120810.ListTables", "{} x", false, 400, kNotJson},
    {"Nope", "{", false, 400, kNotJson},
    {"", "{}", false, 400, kUnknown},
    {"", "", false, 400, kUnknown},
    {"DynamoDB_20120810.listTables", "{}", true, 400, kUnknown},
    {"DynamoDB_20120810.ListTables2", "{}", true, 400, kUnknown},
    {"DynamoDB_20120810.", "{}", true, 400, kUnknown},
    {"DynamoDB_20130101.ListTables", "{}", true, 400, kUnknown},
    {"DynamoDB_20120810.ImportTable", "{}", true, 400, kNotImplemented},
    {"DynamoDB_20120810.ImportTable", "", false, 400, kNotImplemented},
    {"DynamoDBStreams_20120810.ImportTable", "{}", true, 400, kUnknown},
    {"DynamoDBStreams_20120810.ListTables", "{}", true, 400, kUnknown},
    {"DynamoDB_20120810.ListStreams", "{}", true, 400, kUnknown},
    {"ListStreams", "{}", true, 400, kUnknown},
    {"DynamoDBStreams_20120810.ListStreams", "{}", true, 200, R"({"Streams":[]})"},
    {"DynamoDB_20120810.ListTables", "", false, 400,
     R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException",)"
     R"("message":"Request is missing Authentication Token"})"},
    {"DynamoDB_20120810.ListTables", "", true, 400, kNotJson},
    {"DynamoDB_20120810.ListTables", "[]", true, 400, kNotJson},
    {"DynamoDB_20120810.ListTables", "3", true, 400, kNotJson},
    {"DynamoDB_20120810.ListTables", R"({"Limit":"x"})", true, 400,
     R"({"__type":"com.amazon.coral.service#SerializationException",)"
     R"("Message":"STRING_VALUE cannot be converted to Integer"})"},
    {"DynamoDB_20120810.ListTables", R"({"Limit":0})", true, 400,
     R"({"__type":"com.amazon.coral.validate#ValidationException","message":)"
     R"("1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: )"
     R"(Member must have value greater than or equal to 1"})"},
    {"DynamoDB_20120810.DescribeEndpoints", "{}", true, 200,
     R"({"Endpoints":[{"Address":"dynamodb.eu-west-1.amazonaws.com",)"
     R"("CachePeriodInMinutes":1440}]})"},
};

TEST(Dispatch, StepsFollowTheServicesOrder) {
  ManualClock clock(0);
  StreamSet streams(clock, {});
  Engine engine(clock);
  Dispatcher dispatcher(engine, streams, {});
  for (const Step& row : kSteps) {
    std::string body(row.body);
    body.push_back('\0');
    ApiRequest request;
    request.target = row.target;
    request.has_date = true;
    if (row.is_signed) {
      request.authorization =
          "AWS4-HMAC-SHA256 Credential=AKID/1/eu-west-1/dynamodb/aws4_request, SignedHeaders=h, "
          "Signature=s";
    }
    request.body = {body.data(), body.size() - 1};
    OutputBuffer out;
    out.Append("before");
    EXPECT_EQ(dispatcher.Handle(request, out).http_status, row.http_status) << row.body;
    EXPECT_EQ(out.view(), std::string("before").append(row.answer))
        << row.target << " " << row.body;
  }
}

// A dispatcher whose log of changes has grown to the position 5.
class LoggedDispatch : public testing::Test {
 protected:
  LoggedDispatch() { log_.Append(5); }

  // Answers a call in process of the account 000000000000; `out_` has its body.
  ApiAnswer Call(std::string_view operation, std::string_view body) {
    out_.Clear();
    return dispatcher_.Call({.operation = operation, .body = body, .caller = CallerOf("", "")},
                            out_);
  }

  ManualClock clock_{0};
  StreamSet streams_{clock_, {}};
  Engine engine_{clock_};
  ManualDurability log_;
  Dispatcher dispatcher_{engine_, streams_, {.durability = &log_}};
  OutputBuffer out_;
};

TEST_F(LoggedDispatch, AnAnswerWaitsForTheWholeLogIfTheCallMayChangeSomething) {
  const std::string key = R"({"TableName":"Absent","Key":{"K":{"S":"1"}}})";
  EXPECT_EQ(Call("GetItem", key).safe_after, 0u);
  // It failed; that the table is absent may be a change, too.
  EXPECT_EQ(Call("DeleteItem", key).safe_after, 5u);
  // No state of the server was looked at.
  EXPECT_EQ(Call("DeleteItem", "{}").safe_after, 0u);
}

TEST_F(LoggedDispatch, NothingIsChangedWhileTheLogRefuses) {
  log_.refusal = Error{ErrorCode::kInternalServerError, "The disk is full.", nullptr};
  const std::string create =
      R"({"TableName":"Table","BillingMode":"PAY_PER_REQUEST",)"
      R"("AttributeDefinitions":[{"AttributeName":"K","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"K","KeyType":"HASH"}]})";
  const ApiAnswer refused = Call("CreateTable", create);
  EXPECT_EQ(refused.http_status, 500);
  EXPECT_EQ(refused.safe_after, 0u);
  EXPECT_EQ(out_.view(), R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
                         R"("message":"The disk is full."})");
  Call("ListTables", "{}");
  EXPECT_EQ(out_.view(), R"({"TableNames":[]})");
  log_.refusal.reset();
  EXPECT_EQ(Call("CreateTable", create).http_status, 200);
}

TEST(Operations, RowsAreFoundByName) {
#define HR_OPERATION(operation, ...)                                        \
  ASSERT_NE(FindOperation(#operation), nullptr);                            \
  EXPECT_EQ(FindOperation(#operation)->name, std::string_view(#operation)); \
  EXPECT_EQ(FindOperation(#operation)->function, &hashrange::operation);    \
  EXPECT_NE(FindOperation(#operation)->shape, nullptr);
#include "operation/call/operations.def"
  EXPECT_EQ(FindOperation("Nope"), nullptr);
  EXPECT_EQ(FindOperation(""), nullptr);
}

}  // namespace
}  // namespace hashrange
