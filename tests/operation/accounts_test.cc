// Which tables a request sees: the access key gives the account, the credential scope the Region;
// with shared tables all callers see the same ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/api.h"
#include "support/log_lines.h"

namespace hashrange {
namespace {

constexpr char kAccountsTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})";
constexpr char kScan[] = R"({"TableName":"app","Select":"COUNT"})";

TEST(Accounts, TablesBelongToAnAccountAndARegion) {
  Api api;
  const char* const callers[][2] = {{"AKIDEXAMPLE", "us-east-1"},
                                    {"111122223333", "us-east-1"},
                                    {"111122223333", "eu-west-1"},
                                    {"AKIDEXAMPLE", "eu-west-1"}};
  for (int i = 0; i < 4; ++i) {
    api.SignAs(callers[i][0], callers[i][1]);
    api.Fails("Scan", kScan, "ResourceNotFoundException", "Requested resource not found");
    api.Ok("CreateTable", kAccountsTable);
    for (int item = 0; item < i; ++item) {
      api.Ok("PutItem",
             R"({"TableName":"app","Item":{"k":{"S":")" + std::to_string(item) + "\"}}}");
    }
  }
  for (int i = 0; i < 4; ++i) {
    api.SignAs(callers[i][0], callers[i][1]);
    const std::string count = std::to_string(i);
    api.Answers("Scan", kScan, R"({"Count":)" + count + R"(,"ScannedCount":)" + count + "}");
  }
  // An access key that is no account id means the default account.
  api.SignAs("another-key", "us-east-1");
  api.Answers("Scan", kScan, R"({"Count":0,"ScannedCount":0})");
}

TEST(Accounts, ArnsNameAccountAndRegion) {
  Api api;
  api.SignAs("111122223333", "eu-west-1");
  EXPECT_NE(api.Ok("CreateTable", kAccountsTable)
                .find(R"("TableArn":"arn:aws:dynamodb:eu-west-1:111122223333:table/app")"),
            std::string::npos);
  api.Answers("Scan",
              R"({"TableName":"arn:aws:dynamodb:eu-west-1:111122223333:table/app",
                  "Select":"COUNT","ReturnConsumedCapacity":"TOTAL"})",
              R"({"Count":0,"ScannedCount":0,
                  "ConsumedCapacity":{
                    "TableName":"arn:aws:dynamodb:eu-west-1:111122223333:table/app",
                    "CapacityUnits":0.5}})");
  constexpr char kOther[] = "arn:aws:dynamodb:us-east-1:111122223333:table/app";
  for (const char* operation : {"Scan", "DescribeTable", "DeleteTable"}) {
    api.Fails(operation, std::string(R"({"TableName":")").append(kOther).append("\"}"),
              "ValidationException",
              std::string("1 validation error detected: Invalid AWS region in '")
                  .append(kOther)
                  .append("'"));
  }
  const std::string item =
      R"({"Put":{"TableName":"arn:aws:dynamodb:eu-west-1:111122223333:table/app",
    "Item":{"k":{"S":"1"}}}})";
  const std::string same = R"({"Put":{"TableName":"app","Item":{"k":{"S":"1"}}}})";
  api.Fails("TransactWriteItems", R"({"TransactItems":[)" + item + "," + same + "]}",
            "ValidationException",
            "Transaction request cannot include multiple operations on one item");
}

TEST(Accounts, SharedTablesBelongToAllCallers) {
  Api api({.shared_tables = true});
  api.Ok("CreateTable", kAccountsTable);
  api.Ok("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"}}})");
  api.SignAs("111122223333", "eu-west-1");
  api.Answers("Scan", kScan, R"({"Count":1,"ScannedCount":1})");
  api.Answers("ListTables", "{}", R"({"TableNames":["app"]})");
  EXPECT_NE(api.Ok("DescribeTable", R"({"TableName":"app"})")
                .find(R"("TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app")"),
            std::string::npos);
}

TEST(Accounts, TokensBelongToAnAccount) {
  Api api;
  const char* write = R"({"ClientRequestToken":"t","TransactItems":[
    {"Put":{"TableName":"app","Item":{"k":{"S":"1"}}}}]})";
  for (const char* account : {"111122223333", "444455556666"}) {
    api.SignAs(account, "us-east-1");
    api.Ok("CreateTable", kAccountsTable);
    api.Answers("TransactWriteItems", write, "{}");
    api.Answers("Scan", kScan, R"({"Count":1,"ScannedCount":1})");
  }
}

TEST(Accounts, LogSaysWhereAMissingTableExists) {
  Api api;
  api.Ok("CreateTable", kAccountsTable);
  const test::LogLines logged(LogLevel::kWarning);
  // The same line is logged once a minute, so each repetition of the test uses another account.
  static std::int64_t account = 111122223333;
  const std::string caller = std::to_string(account++);
  api.SignAs(caller, "eu-west-1");
  for (int i = 0; i < 100; ++i) {
    api.Fails("Scan", kScan, "ResourceNotFoundException", "Requested resource not found");
  }
  api.Fails("DescribeTable", R"({"TableName":"none"})", "ResourceNotFoundException",
            "Requested resource not found: Table: none not found");
  ASSERT_EQ(logged.lines().size(), 1u);
  EXPECT_EQ(logged.lines()[0],
            "table app not found for " + caller +
                "/eu-west-1; a table of that name exists under 000000000000/us-east-1");
}

}  // namespace
}  // namespace hashrange
