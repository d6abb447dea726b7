// Tests of the calls about throughput: their input, their answers and their effect.
#include <gtest/gtest.h>

#include <string>

#include "control/control_fixture.h"

namespace hashrange {
namespace {

class ThroughputCalls : public ControlFixture {
 protected:
  ThroughputCalls() {
    Ok("CreateTable", R"({"TableName":"app",
      "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":3},
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
        "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":2},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
    Post("clock", R"({"frozen":"2026-01-01T00:00:00Z"})");
  }

  void Answers(const char* method, const char* json, const std::string& body) {
    EXPECT_EQ(Control(method, "throughput", json), "200 " + body) << json;
  }
  void Fails(const char* method, const char* json, const std::string& sentence) {
    EXPECT_EQ(Control(method, "throughput", json), R"(400 {"error":")" + sentence + "\"}");
  }
  int Get() {
    return database_
        .Call("GetItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}},
      "ConsistentRead":true})")
        .status;
  }
};

constexpr char kNoRules[] = R"({"rules":[],"tables":[]})";

TEST_F(ThroughputCalls, ARuleKeepsNoLongNames) {
  const std::string longest(255, 'x');
  for (const std::string member : {"table", "region"}) {
    const std::string begin = "{\"enforce\":true,\"" + member + "\":\"" + longest;
    EXPECT_EQ(Control("POST", "throughput", begin + "\"}").substr(0, 4), "200 ");
    Fails("POST", (begin + "x\"}").c_str(), "\\\"" + member + "\\\" is longer than 255 bytes.");
  }
}

TEST_F(ThroughputCalls, AVectorIndexHasNoThroughput) {
  Ok("CreateTable", R"({"TableName":"docs","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
      {"AttributeName":"g","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
    "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
      "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}],
    "VectorIndexes":[{"IndexName":"vix","Projection":{"ProjectionType":"ALL"},"Dimensions":1,
      "VectorAttribute":{"AttributeName":"e"},"DistanceFunction":"COSINE"}]})");
  Post("throughput", R"({"table":"docs","enforce":true})");
  Ok("PutItem", R"({"TableName":"docs","Item":{"pk":{"S":"1"},"e":{"L":[{"N":"1"}]}}})");
  Answers("GET", "",
          R"({"rules":[{"table":"docs","enforce":true}],"tables":[{"account":"000000000000",)"
          R"("region":"us-east-1","table":"docs","indexes":{"byG":{}}}]})");
}

TEST_F(ThroughputCalls, LimitsAreEnforcedAndLifted) {
  Answers("GET", "", kNoRules);
  Answers("POST", R"({"enforce":false})", kNoRules);
  EXPECT_EQ(Get(), 200);
  EXPECT_EQ(Get(), 200);
  Post("throughput", R"({"table":"app","enforce":true})");
  EXPECT_EQ(Get(), 200);
  EXPECT_EQ(Get(), 400);
  Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"1"},"g":{"S":"g"}}})");
  Post("clock", R"({"advance":"500ms"})");
  Answers("GET", "",
          R"({"rules":[{"table":"app","enforce":true}],"tables":[{"account":"000000000000",)"
          R"("region":"us-east-1","table":"app",)"
          R"("read":{"units_per_second":1,"units_left":0.5,"throttled":1},)"
          R"("write":{"units_per_second":3,"units_left":3.5,"throttled":0},)"
          R"("indexes":{"byG":{"read":{"units_per_second":5,"units_left":7.5,"throttled":0},)"
          R"("write":{"units_per_second":2,"units_left":2.0,"throttled":0}}}}]})");
  Answers("DELETE", "", kNoRules);
  EXPECT_EQ(Get(), 200);
  Fails("DELETE", R"({"enforce":true})",
        R"(\"enforce\" is no member of the body, which may have \"account\", \"region\" and )"
        R"(\"table\".)");
}

TEST_F(ThroughputCalls, ScopesOfOtherTablesLeaveThisOneAlone) {
  for (const char* scope :
       {R"({"table":"other","enforce":true})", R"({"account":"111122223333","enforce":true})",
        R"({"region":"eu-west-1","enforce":true})"}) {
    EXPECT_NE(Post("throughput", scope).find(R"("tables":[])"), std::string::npos) << scope;
    EXPECT_EQ(Get(), 200);
  }
  Answers("GET", "",
          R"({"rules":[{"table":"other","enforce":true},)"
          R"({"account":"111122223333","enforce":true},)"
          R"({"region":"eu-west-1","enforce":true}],"tables":[]})");
  Answers("DELETE", R"({"account":"444455556666"})",
          R"({"rules":[{"table":"other","enforce":true},)"
          R"({"account":"111122223333","enforce":true},)"
          R"({"region":"eu-west-1","enforce":true}],"tables":[]})");
  Answers("DELETE", R"({"account":"111122223333"})",
          R"({"rules":[{"table":"other","enforce":true},)"
          R"({"region":"eu-west-1","enforce":true}],"tables":[]})");
  Answers("DELETE", "", kNoRules);
}

// Limits that a test switched on are removed, and limits that were on before stay.
TEST_F(ThroughputCalls, ADeletedRuleLeavesTheOthersInForce) {
  Post("throughput", R"({"enforce":true})");
  Post("throughput", R"({"account":"000000000000","enforce":true})");
  EXPECT_EQ(Get(), 200);
  EXPECT_EQ(Get(), 400);
  Post("clock", R"({"advance":"2s"})");
  EXPECT_EQ(Control("DELETE", "throughput", R"({"account":"000000000000"})").substr(0, 33),
            R"(200 {"rules":[{"enforce":true}],")");
  EXPECT_EQ(Get(), 200);
  for (int i = 0; i < 3; ++i) Get();
  EXPECT_EQ(Get(), 400);
}

TEST_F(ThroughputCalls, WrongBodiesAreRefused) {
  Fails("POST", "{}", R"(\"enforce\" is missing in the body.)");
  Fails("POST", R"({"enforce":1})", R"(\"enforce\" in the body is not true or false.)");
  Fails("POST", R"({"enforced":true})",
        R"(\"enforced\" is no member of the body, which may have \"account\", \"region\", )"
        R"(\"table\" and \"enforce\".)");
  Fails("POST", R"({"enforce":true,"account":"12"})",
        R"(\"12\" in \"account\" is not an account id, which has 12 digits.)");
  Answers("GET", "", kNoRules);
}

}  // namespace
}  // namespace hashrange
