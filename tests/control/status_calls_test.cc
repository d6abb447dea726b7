// Tests of a table or an index that is held in a status: what each operation does then, and that
// the table is the same as before when the status ends.
#include <gtest/gtest.h>

#include <string>

#include "control/simulated_api.h"

namespace hashrange {
namespace {

constexpr char kQueryIndex[] =
    R"({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"G=:g",
        "ExpressionAttributeValues":{":g":{"S":"g"}}})";
constexpr char kGet[] = R"({"TableName":"app","Key":{"PK":{"S":"a"},"SK":{"N":"1"}}})";

class StatusCalls : public testing::Test {
 protected:
  StatusCalls() {
    api_.Ok("CreateTable", kIndexedTable);
    api_.Ok("PutItem",
            R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})");
    described_ = api_.Ok("DescribeTable", R"({"TableName":"app"})");
  }
  void Hold(std::string_view status, std::string_view index = {}) {
    std::string body = R"({"table":"app",)";
    if (!index.empty()) body.append(R"("index":")").append(index).append(R"(",)");
    body.append(R"("status":")").append(status).append(R"("})");
    api_.Controls("POST", "status", body, body);
  }
  // Returns "CREATING", or "CREATING backfilling" for the index.
  std::string StatusOf(const std::string& description) {
    const auto text_of = [&](std::string_view member) {
      const std::size_t at = description.find(std::string(member).append(R"(":")"));
      if (at == std::string::npos) return std::string("none");
      const std::size_t begin = at + member.size() + 3;
      return description.substr(begin, description.find('"', begin) - begin);
    };
    std::string status = text_of("TableStatus") + ", " + text_of("IndexStatus");
    if (description.find(R"("Backfilling":true)") != std::string::npos) status += " backfilling";
    if (description.find(R"("Backfilling":false)") != std::string::npos) status += " waiting";
    return status;
  }
  std::string Status() { return StatusOf(api_.Ok("DescribeTable", R"({"TableName":"app"})")); }
  void IsAsBefore() {
    const std::string now = api_.Ok("DescribeTable", R"({"TableName":"app"})");
    EXPECT_TRUE(SameJson(now, described_)) << now;
    api_.Answers("Query", kQueryIndex,
                 R"({"Items":[{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}],
                     "Count":1,"ScannedCount":1})");
  }

  SimulatedApi api_;
  std::string described_;
};

TEST_F(StatusCalls, ATableIsCreatingUntilItIsActive) {
  Hold("CREATING");
  EXPECT_EQ(Status(), "CREATING, CREATING");
  api_.Fails("GetItem", kGet, "ResourceNotFoundException", "Requested resource not found");
  api_.Fails("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"}}})",
             "ResourceNotFoundException", "Requested resource not found");
  api_.Fails("DeleteTable", R"({"TableName":"app"})", "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being created: app");
  api_.Fails("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":true})",
             "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table is being created: app");
  api_.clock().Advance(1'000'000'000'000);
  EXPECT_EQ(Status(), "CREATING, CREATING");
  Hold("ACTIVE");
  IsAsBefore();
}

TEST_F(StatusCalls, ATableIsUpdatingUntilItIsActive) {
  Hold("UPDATING");
  EXPECT_EQ(Status(), "UPDATING, ACTIVE");
  api_.Ok("GetItem", kGet);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})");
  api_.Fails("DeleteTable", R"({"TableName":"app"})", "ResourceInUseException",
             "Attempt to change a resource which is still in use: Table: app is in the process of "
             "being updated.");
  Hold("CREATING");
  EXPECT_EQ(Status(), "CREATING, CREATING");
  Hold("ACTIVE");
  IsAsBefore();
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
}

TEST_F(StatusCalls, AnIndexIsBackfillingUntilItIsActive) {
  Hold("CREATING", "GSI1");
  EXPECT_EQ(Status(), "ACTIVE, CREATING backfilling");
  api_.Fails("Query", kQueryIndex, "ValidationException",
             "Cannot read from backfilling global secondary index: GSI1");
  api_.Ok("DeleteItem", kGet);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"N":"1"},"G":{"S":"g"}}})");
  api_.Fails("UpdateTable", R"({"TableName":"app",
    "AttributeDefinitions":[{"AttributeName":"x","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"GSI2",
      "KeySchema":[{"AttributeName":"x","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"}}}]})",
             "LimitExceededException",
             "Subscriber limit exceeded: Only 1 online index can be created or deleted "
             "simultaneously per table");
  Hold("ACTIVE", "GSI1");
  IsAsBefore();
}

TEST_F(StatusCalls, AnIndexIsUpdatingUntilItsTableIsActive) {
  Hold("UPDATING", "GSI1");
  EXPECT_EQ(Status(), "ACTIVE, UPDATING");
  Hold("UPDATING");
  EXPECT_EQ(Status(), "UPDATING, UPDATING");
  Hold("ACTIVE", "GSI1");
  EXPECT_EQ(Status(), "UPDATING, ACTIVE");
  Hold("UPDATING", "GSI1");
  Hold("ACTIVE");
  IsAsBefore();
}

TEST_F(StatusCalls, ChangesThatAreMadeMeanwhileAreKept) {
  Hold("UPDATING");
  api_.Ok("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":true})");
  EXPECT_EQ(Status(), "UPDATING, ACTIVE");
  Hold("ACTIVE");
  const std::string now = api_.Ok("DescribeTable", R"({"TableName":"app"})");
  EXPECT_EQ(StatusOf(now), "ACTIVE, ACTIVE");
  EXPECT_NE(now.find(R"("DeletionProtectionEnabled":true)"), std::string::npos);
}

TEST_F(StatusCalls, ActiveTablesStayActive) {
  Hold("ACTIVE");
  Hold("ACTIVE", "GSI1");
  IsAsBefore();
}

TEST_F(StatusCalls, AreCheckedAgainstTheTable) {
  const struct {
    const char* body;
    int http_status;
    const char* sentence;
  } kRows[] = {
      {R"({"table":"app"})", 400, R"("status" is missing in the body.)"},
      {R"({"table":"app","status":"GONE"})", 400,
       R"("status" is "CREATING", "UPDATING" or "ACTIVE".)"},
      {R"({"table":"none","status":"ACTIVE"})", 404, R"(There is no table "none".)"},
      {R"({"table":"app","index":"none","status":"CREATING"})", 404,
       R"(Table "app" has no index "none".)"},
      {R"({"table":"app","index":"LSI1","status":"CREATING"})", 400,
       R"(Index "LSI1" is a local one, which has no status of its own.)"},
      {R"({"table":"app","account":"x","status":"CREATING"})", 400,
       R"("x" in "account" is not an account id, which has 12 digits.)"},
  };
  for (const auto& [body, http_status, sentence] : kRows) {
    api_.Refuses("POST", "status", body, http_status, sentence);
  }
  IsAsBefore();
}

}  // namespace
}  // namespace hashrange
