// Tests of the request list over the control API, with which a test asserts on its access patterns.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <regex>
#include <string>

#include "hashrange/database.h"

namespace hashrange {
namespace {

class RequestsCallsTest : public testing::Test {
 protected:
  RequestsCallsTest() {
    Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},
        {"AttributeName":"s","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
  }

  void Ok(std::string_view operation, std::string_view json) {
    const Answer answer = database_.Call(operation, json);
    ASSERT_TRUE(answer.ok()) << answer.body;
  }
  std::string Control(std::string_view method, std::string_view path, std::string_view json = {}) {
    const Answer answer = database_.Control(method, path, json);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.body;
  }
  void Fails(std::string_view method, std::string_view path, std::string_view json,
             const std::string& sentence) {
    const Answer answer = database_.Control(method, path, json);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, R"({"error":")" + sentence + R"("})");
  }
  // Returns the requests, without the members that differ from run to run.
  std::string Requests(const std::string& query = "") {
    rapidjson::Document document;
    document.Parse(Control("GET", "requests" + query).c_str());
    std::string text;
    for (const auto& request : document["requests"].GetArray()) {
      text += std::to_string(request["id"].GetUint64()) + " " +
              (request.HasMember("operation") ? request["operation"].GetString() : "?") + ";";
    }
    return text;
  }

  Database database_;
};

TEST_F(RequestsCallsTest, IsOffUntilAskedFor) {
  EXPECT_EQ(Control("GET", "requests"),
            R"({"enabled":false,"limit":1000,"last_id":0,"forgotten":0,"requests":[]})");
  EXPECT_EQ(Control("POST", "requests", R"({"enabled":true})"),
            R"({"enabled":true,"limit":1000,"last_id":0,"forgotten":0})");
  Ok("ListTables", "{}");
  EXPECT_EQ(Control("POST", "requests", R"({"enabled":false,"limit":20})"),
            R"({"enabled":false,"limit":20,"last_id":1,"forgotten":0})");
  Ok("ListTables", "{}");
  EXPECT_EQ(Requests(), "1 ListTables;");
}

TEST_F(RequestsCallsTest, ARequestIsListedWithAllMembers) {
  Control("POST", "requests", R"({"limit":10})");
  Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"},"g":{"S":"x"}}})");
  const std::regex time(R"("time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")");
  const std::regex duration(R"("duration_us":\d+)");
  std::string body = std::regex_replace(Control("GET", "requests"), time, "T");
  body = std::regex_replace(body, duration, "D");
  EXPECT_EQ(body,
            R"({"enabled":true,"limit":10,"last_id":1,"forgotten":0,"requests":[{"id":1,T,)"
            R"("operation":"PutItem","account":"000000000000","region":"us-east-1","status":200,D,)"
            R"("request_bytes":70,"answer_bytes":2,"accesses":[{"table":"app","kind":"write",)"
            R"("count":1,"units":2.0,"table_units":1.0,"index_units":{"GSI":1.0},"examined":0,)"
            R"("returned":0,"written":1}]}]})");
}

TEST_F(RequestsCallsTest, AFailedRequestHasItsErrorAndMessage) {
  Control("POST", "requests");
  database_.Call("GetItem", R"({"TableName":"none","Key":{"p":{"S":"a"}}})");
  database_.Call("CreateBackup", "{}");
  const std::string body = Control("GET", "requests?account=000000000000");
  EXPECT_NE(body.find(R"("status":400,"error":"ResourceNotFoundException",)"
                      R"("message":"Requested resource not found","duration_us":)"),
            body.npos)
      << body;
  EXPECT_NE(body.find(R"("operation":"CreateBackup","account":"000000000000",)"
                      R"("region":"us-east-1","status":400,"error":"UnknownOperationException",)"
                      R"("message":"Hashrange does not implement CreateBackup.","duration_us":0,)"),
            body.npos)
      << body;
}

TEST_F(RequestsCallsTest, AnAccessPatternIsOneQuery) {
  for (const char* sort : {"1", "2", "3"}) {
    Ok("PutItem", std::string(R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":")")
                      .append(sort)
                      .append(R"("}}})"));
  }
  Control("POST", "requests", R"({"enabled":true})");
  Ok("Query", R"j({"TableName":"app","KeyConditionExpression":"p = :p AND begins_with(s, :s)",
    "ExpressionAttributeValues":{":p":{"S":"a"},":s":{"S":""}}})j");
  const std::string body = Control("GET", "requests?table=app");
  EXPECT_NE(body.find(R"("accesses":[{"table":"app","kind":"query","sort_key":"begins_with",)"
                      R"("count":1,"units":0.5,"table_units":0.5,"examined":3,"returned":3,)"
                      R"("written":0}])"),
            body.npos)
      << body;
  EXPECT_EQ(Requests("?operation=Scan"), "");
}

TEST_F(RequestsCallsTest, FiltersAreInTheQuery) {
  Control("POST", "requests");
  Ok("ListTables", "{}");
  database_.Call("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  database_.Call("ListTables", "{}", {.access_key = "111122223333", .region = "eu-west-1"});
  EXPECT_EQ(Requests(), "1 ListTables;2 GetItem;3 ListTables;");
  EXPECT_EQ(Requests("?account=111122223333"), "3 ListTables;");
  EXPECT_EQ(Requests("?region=eu-west-1"), "3 ListTables;");
  EXPECT_EQ(Requests("?table=app"), "2 GetItem;");
  EXPECT_EQ(Requests("?operation=List%54ables&since=1"), "3 ListTables;");
  EXPECT_EQ(Control("DELETE", "requests?account=111122223333"), R"({"requests":1})");
  EXPECT_EQ(Control("DELETE", "requests"), R"({"requests":2})");
  EXPECT_EQ(Requests(), "");
}

TEST_F(RequestsCallsTest, ErrorsNameTheMistake) {
  Fails("GET", "requests?tabel=app", "",
        R"(The query has an unknown parameter \"tabel\"; it may have \"account\", \"region\", )"
        R"(\"table\", \"operation\" and \"since\".)");
  Fails("GET", "requests?table=a&table=b", "", R"(The query has the parameter \"table\" twice.)");
  Fails("GET", "requests?account=12", "", R"(\"12\" is not an account id, which has 12 digits.)");
  Fails("GET", "requests?since=now", "", R"(\"since\" is not the id of a request: \"now\".)");
  Fails("POST", "requests?table=a", "",
        "This call has no query parameters; it reads its JSON body.");
  for (const char* limit : {"0", "100001"}) {
    Fails("POST", "requests", std::string(R"({"limit":)") + limit + "}",
          R"(\"limit\" is from 1 to 100000.)");
  }
  EXPECT_EQ(database_.Control("POST", "requests", R"({"enable":true})").status, 400);
}

TEST(RequestsCalls, WithSharedTablesAnyAccountSelectsAllRequests) {
  Database database({.shared_tables = true});
  database.Control("POST", "requests");
  database.Call("ListTables", "{}", {.access_key = "111122223333"});
  const Answer answer = database.Control("GET", "requests?account=111122223333");
  EXPECT_NE(answer.body.find(R"("account":"000000000000")"), answer.body.npos) << answer.body;
}

}  // namespace
}  // namespace hashrange
