// The calls about throughput: what they take, what they answer, and that they work.
#include <gtest/gtest.h>

#include <string>

#include "hashrange/database.h"

namespace hashrange {
namespace {

class ThroughputCalls : public ::testing::Test {
 protected:
  ThroughputCalls() {
    const Answer answer = database_.Call("CreateTable", R"({"TableName":"app",
      "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":3},
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
        "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":2},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
    EXPECT_EQ(answer.status, 200) << answer.body;
    database_.Control("POST", "clock", R"({"frozen":"2026-01-01T00:00:00Z"})");
  }

  void Answers(const char* method, const char* json, const std::string& body) {
    const Answer answer = database_.Control(method, "throughput", json);
    EXPECT_EQ(answer.status, 200) << json;
    EXPECT_EQ(answer.body, body) << json;
  }
  void Fails(const char* method, const char* json, int status, const std::string& sentence) {
    const Answer answer = database_.Control(method, "throughput", json);
    EXPECT_EQ(answer.status, status) << json;
    EXPECT_EQ(answer.body, R"({"error":")" + sentence + "\"}") << json;
  }
  int Get() {
    return database_.Call("GetItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}},
      "ConsistentRead":true})").status;
  }

  Database database_;
};

constexpr char kNothing[] = R"({"rules":[],"tables":[]})";

TEST_F(ThroughputCalls, LimitsAreEnforcedAndLifted) {
  Answers("GET", "", kNothing);
  Answers("POST", R"({"enforce":false})", kNothing);
  EXPECT_EQ(Get(), 200);
  EXPECT_EQ(Get(), 200);
  EXPECT_EQ(database_.Control("POST", "throughput", R"({"table":"app","enforce":true})").status,
            200);
  EXPECT_EQ(Get(), 200);
  EXPECT_EQ(Get(), 400);
  Answers("DELETE", "", kNothing);
  EXPECT_EQ(Get(), 200);
  Fails("DELETE", R"({"table":"app"})", 400,
        R"(\"table\" is no member of the body, which has none.)");
}

TEST_F(ThroughputCalls, ScopesOfOtherTablesLeaveThisOneAlone) {
  for (const char* scope :
       {R"({"table":"other","enforce":true})", R"({"account":"111122223333","enforce":true})",
        R"({"region":"eu-west-1","enforce":true})"}) {
    const Answer answer = database_.Control("POST", "throughput", scope);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_NE(answer.body.find(R"("tables":[])"), std::string::npos) << answer.body;
    EXPECT_EQ(Get(), 200);
  }
  Answers("GET", "",
          R"({"rules":[{"table":"other","enforce":true},)"
          R"({"account":"111122223333","enforce":true},)"
          R"({"region":"eu-west-1","enforce":true}],"tables":[]})");
}

TEST_F(ThroughputCalls, WrongBodiesAreRefused) {
  Fails("POST", "{}", 400, R"(\"enforce\" is missing in the body.)");
  Fails("POST", R"({"enforce":1})", 400, R"(\"enforce\" in the body is not true or false.)");
  Fails("POST", R"({"enforced":true})", 400,
        R"(\"enforced\" is no member of the body, which may have \"account\", \"region\", )"
        R"(\"table\" and \"enforce\".)");
  Fails("POST", R"({"enforce":true,"account":"12"})", 400,
        R"(\"12\" in \"account\" is no account id: 12 digits, as an access key's own account.)");
  Answers("GET", "", kNothing);
}

}  // namespace
}  // namespace hashrange
