// Tests of the calls about consistency: their input, their answers and their effect.
#include <gtest/gtest.h>

#include <string>

#include "control/control_fixture.h"

namespace hashrange {
namespace {

class ConsistencyCalls : public ControlFixture {
 protected:
  ConsistencyCalls() {
    Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
  }

  void Answers(const char* method, const char* json, const std::string& body) {
    EXPECT_EQ(Control(method, "consistency", json), "200 " + body) << json;
  }
  void Fails(const char* method, const char* json, int status, const std::string& sentence) {
    EXPECT_EQ(Control(method, "consistency", json),
              std::to_string(status) + R"( {"error":")" + sentence + "\"}");
  }
  // Returns how many items a query of the index finds.
  std::string Count(const char* account = "000000000000") {
    const std::string body = Ok("Query", R"({"TableName":"app","IndexName":"byG","Select":"COUNT",
      "KeyConditionExpression":"g = :g","ExpressionAttributeValues":{":g":{"S":"g"}}})",
                                account);
    const std::size_t at = body.find(':') + 1;
    return body.substr(at, body.find(',') - at);
  }
  void Put(const char* key, const char* account = "000000000000") {
    Ok("PutItem",
       std::string(R"({"TableName":"app","Item":{"pk":{"S":")") + key + R"("},"g":{"S":"g"}}})",
       account);
  }
};

constexpr char kNone[] = R"({"tables":[]})";

std::string Lagging(const char* index_lag, const char* stale_reads, const char* seed) {
  return std::string(
             R"({"tables":[{"account":"000000000000","region":"us-east-1","table":"app",)") +
         R"("index_lag":)" + index_lag + R"(,"stale_reads":)" + stale_reads + R"(,"seed":)" + seed +
         R"(,"waiting":{"index_lag":0,"stale_reads":0}}]})";
}

TEST_F(ConsistencyCalls, LagIsSetDescribedAndRemoved) {
  Answers("GET", "", kNone);
  Answers("POST", R"({"table":"app","index_lag":"2s"})",
          Lagging(R"({"min":2000,"max":2000})", R"({"min":0,"max":0})", "0"));
  Answers("POST",
          R"({"table":"app","account":"000000000000","region":"us-east-1",
              "stale_reads":{"min":"10ms","max":"500ms"},"seed":42})",
          Lagging(R"({"min":2000,"max":2000})", R"({"min":10,"max":500})", "42"));
  Answers("GET", "", Lagging(R"({"min":2000,"max":2000})", R"({"min":10,"max":500})", "42"));
  Answers("POST", R"({"table":"app","index_lag":0,"stale_reads":{"max":"1s"}})",
          Lagging(R"({"min":0,"max":0})", R"({"min":0,"max":1000})", "42"));
  Answers("POST", R"({"table":"app","stale_reads":"0ms"})", kNone);
  Answers("GET", "", kNone);
}

TEST_F(ConsistencyCalls, ReadsSeeThePastUntilTheClockIsAdvanced) {
  Post("clock", R"({"frozen":"2026-01-01T00:00:00Z"})");
  Post("consistency", R"({"table":"app","index_lag":"1h"})");
  Put("1");
  EXPECT_EQ(Count(), "0");
  EXPECT_EQ(Ok("GetItem", R"({"TableName":"app","Key":{"pk":{"S":"1"}}})"),
            R"({"Item":{"pk":{"S":"1"},"g":{"S":"g"}}})");
  Post("clock", R"({"advance":"59m"})");
  EXPECT_EQ(Count(), "0");
  Post("clock", R"({"advance":"1m"})");
  EXPECT_EQ(Count(), "1");
  Put("2");
  EXPECT_EQ(Count(), "1");
  EXPECT_EQ(Control("DELETE", "consistency", R"({"table":"app"})"), R"(200 {"tables":1})");
  EXPECT_EQ(Count(), "2");
}

// A table that replaces another has the same lag, and no changes waiting.
TEST_F(ConsistencyCalls, CopiesOfTheTableHaveItsLag) {
  Post("clock", R"({"frozen":"2026-01-01T00:00:00Z"})");
  Post("consistency", R"({"table":"app","index_lag":"10s"})");
  Put("1");
  EXPECT_EQ(Count(), "0");
  EXPECT_EQ(Post("fork", R"({"from":"000000000000","to":"444455556666"})"), R"(200 {"tables":1})");
  EXPECT_EQ(Count("444455556666"), "1");
  Put("2", "444455556666");
  EXPECT_EQ(Count("444455556666"), "1");
  EXPECT_EQ(Count(), "0");
  Post("snapshots", R"({"name":"one"})");
  EXPECT_EQ(Post("reset", R"({"table":"app"})"), R"(200 {"tables":2})");
  EXPECT_EQ(Count(), "0");
  Put("3");
  EXPECT_EQ(Count(), "0");
  Post("clock", R"({"advance":"10s"})");
  EXPECT_EQ(Count(), "1");
  EXPECT_EQ(Count("444455556666"), "0");
  EXPECT_EQ(Control("POST", "snapshots/one/restore").substr(0, 3), "200");
  EXPECT_EQ(Count(), "1");
  EXPECT_EQ(Count("444455556666"), "2");
  Put("4");
  EXPECT_EQ(Count(), "1");
  Post("reset", R"({"table":"app","simulation":true})");
  EXPECT_EQ(Control("GET", "consistency"), R"(200 {"tables":[]})");
  Put("5");
  EXPECT_EQ(Count(), "1");
}

TEST_F(ConsistencyCalls, OnlyTablesOfTheScopeAreCleared) {
  Post("consistency", R"({"table":"app","index_lag":"5ms"})");
  Answers("DELETE", R"({"account":"111122223333"})", R"({"tables":0})");
  Answers("DELETE", R"({"region":"eu-west-1"})", R"({"tables":0})");
  Answers("DELETE", R"({"table":"other"})", R"({"tables":0})");
  Answers("DELETE", "", R"({"tables":1})");
  Answers("GET", "", kNone);
}

TEST_F(ConsistencyCalls, WrongBodiesAreRefused) {
  Fails("POST", "{}", 400, R"(\"table\" is missing in the body.)");
  Fails("POST", R"({"table":"app"})", 400,
        R"(The body has none of \"index_lag\", \"stale_reads\" and \"seed\".)");
  Fails("POST", R"({"table":"app","lag":5})", 400,
        R"(\"lag\" is no member of the body, which may have \"table\", \"account\", \"region\", )"
        R"(\"index_lag\", \"stale_reads\" and \"seed\".)");
  const std::string neither =
      R"( in the body is neither a time with its unit, such as \"500ms\", \"3s\", \"5m\", \"2h\" )"
      R"(or \"2d\", nor an object of two such times, \"min\" and \"max\".)";
  Fails("POST", R"({"table":"app","index_lag":5})", 400, R"(\"index_lag\")" + neither);
  Fails("POST", R"({"table":"app","index_lag":"soon"})", 400, R"(\"index_lag\")" + neither);
  Fails("POST", R"({"table":"app","stale_reads":-1})", 400, R"(\"stale_reads\")" + neither);
  Fails("POST", R"({"table":"app","stale_reads":[]})", 400, R"(\"stale_reads\")" + neither);
  Fails("POST", R"({"table":"app","index_lag":{"min":"5ms"}})", 400,
        R"(\"max\" is missing in \"index_lag\".)");
  Fails("POST", R"({"table":"app","index_lag":{"min":"5ms","max":"4ms"}})", 400,
        R"(\"min\" in \"index_lag\" is more than \"max\".)");
  Fails("POST", R"({"table":"app","index_lag":{"mean":"5ms","max":"4ms"}})", 400,
        R"(\"mean\" is no member of \"index_lag\", which may have \"min\" and \"max\".)");
  Fails("POST", R"({"table":"app","index_lag":"5ms","seed":-1})", 400,
        R"(\"seed\" in the body is not a whole number from 0.)");
  Fails("POST", R"({"table":"none","index_lag":"5ms"})", 404,
        R"(There is no table \"none\" in account 000000000000, Region \"us-east-1\".)");
  Fails("POST", R"({"table":"app","region":"eu-west-1","index_lag":"5ms"})", 404,
        R"(There is no table \"app\" in account 000000000000, Region \"eu-west-1\".)");
  Fails(
      "DELETE", R"({"tables":"app"})", 400,
      R"(\"tables\" is no member of the body, which may have \"account\", \"region\" and \"table\".)");
  Answers("GET", "", kNone);
}

TEST(ConsistencyCallsShared, OneSetOfTablesHasNoAccounts) {
  Database database({.shared_tables = true});
  EXPECT_EQ(database.Call("CreateTable", SimpleTable("app")).status, 200);
  const Answer answer = database.Control(
      "POST", "consistency", R"({"table":"app","region":"eu-west-1","stale_reads":"1s"})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(database.Control("DELETE", "consistency", R"({"account":"111122223333"})").body,
            R"({"tables":1})");
}

}  // namespace
}  // namespace hashrange
