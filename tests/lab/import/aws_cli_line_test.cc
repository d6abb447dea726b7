#include "lab/import/aws_cli_line.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace hashrange {
namespace {

std::string RequestOf(std::string_view line) {
  const auto request = ReadAwsCliLine(line);
  return request.ok() ? request->operation + " " + request->json : request.error().message;
}

TEST(AwsCliLine, BecomesARequest) {
  EXPECT_EQ(RequestOf(R"(aws dynamodb get-item --table-name app --key '{"PK":{"S":"a"}}')"),
            R"(GetItem {"TableName":"app","Key":{"PK":{"S":"a"}}})");
  EXPECT_EQ(
      RequestOf("aws dynamodb query --table-name=app --limit 5 --no-scan-index-forward "
                "--consistent-read --region eu-west-1"),
      R"(Query {"TableName":"app","Limit":5,"ScanIndexForward":false,"ConsistentRead":true})");
  EXPECT_EQ(RequestOf(R"(aws dynamodb query --key-condition-expression "PK = :p AND \"x\"")"),
            R"(Query {"KeyConditionExpression":"PK = :p AND \"x\""})");
  EXPECT_EQ(RequestOf("aws dynamodb \\\n  query --limit \\\n 5"), R"(Query {"Limit":5})");
  EXPECT_EQ(RequestOf("aws dynamodb list-tables"), "ListTables {}");
}

TEST(AwsCliLine, OtherLines) {
  EXPECT_EQ(RequestOf(""), "the line does not begin with aws dynamodb");
  EXPECT_EQ(RequestOf("rm -rf /"), "the line does not begin with aws dynamodb");
  EXPECT_EQ(RequestOf("aws dynamodb get-item --key '{"), "a quote is not closed");
}

}  // namespace
}  // namespace hashrange
