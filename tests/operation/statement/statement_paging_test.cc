// ExecuteStatement page after page: a client that follows NextToken gets every item once and in
// order, whatever the statement reads. A token belongs to its statement, and any other text is
// refused.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kStatementTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
    {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"},
    {"AttributeName":"l","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[
    {"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}],
  "GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[
    {"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}]})";

class StatementPaging : public testing::Test {
 protected:
  StatementPaging() {
    api_.Ok("CreateTable", kStatementTable);
    // 30 items in two item collections. Many of them have the same key in an index.
    for (int i = 0; i < 30; ++i) {
      const std::string text = R"({"TableName":"app","Item":{"pk":{"S":")" +
                               std::string(i % 2 ? "odd" : "even") + R"("},"sk":{"N":")" +
                               std::to_string(i) + R"("},"g":{"S":"G"},"l":{"N":")" +
                               std::to_string(i % 3) + R"("}}})";
      api_.Ok("PutItem", text);
    }
  }

  static std::string Request(const std::string& statement, const std::string& more) {
    return R"({"Statement":")" + statement + "\"" + more + "}";
  }

  // Appends the sort keys of a page of `limit` items. Returns the page's token; empty: the last
  // page.
  std::string ReadPage(const std::string& statement, int limit, const std::string& token,
                       std::vector<std::string>* items) {
    const std::string more = (limit ? ",\"Limit\":" + std::to_string(limit) : "") +
                             (token.empty() ? "" : R"(,"NextToken":")" + token + "\"");
    rapidjson::Document answer;
    answer.Parse(api_.Ok("ExecuteStatement", Request(statement, more)).c_str());
    for (const auto& item : answer["Items"].GetArray()) {
      items->push_back(item["sk"]["N"].GetString());
    }
    if (limit) {
      EXPECT_LE(answer["Items"].Size(), static_cast<unsigned>(limit)) << statement;
    }
    return answer.HasMember("NextToken") ? answer["NextToken"].GetString() : "";
  }

  std::vector<std::string> ReadAll(const std::string& statement, int limit) {
    std::vector<std::string> items;
    std::string token;
    for (int page = 0; page < 100; ++page) {
      token = ReadPage(statement, limit, token, &items);
      if (token.empty()) return items;
    }
    ADD_FAILURE() << "the read does not end: " << statement;
    return items;
  }

  std::string FirstToken(const std::string& statement) {
    std::vector<std::string> items;
    return ReadPage(statement, 2, "", &items);
  }

  Api api_;
};

TEST_F(StatementPaging, PagesOfAnySizeGiveTheSameItemsInTheSameOrder) {
  struct Row {
    const char* statement;
    std::size_t items;
  };
  const Row rows[] = {
      {"SELECT sk FROM app", 30},
      {"SELECT sk FROM app.lsi", 30},
      {"SELECT sk FROM app.gsi WHERE l > 0", 20},
      {"SELECT sk FROM app WHERE pk = 'odd'", 15},
      {"SELECT sk FROM app WHERE pk = 'odd' AND sk > 3 AND l <> 0", 9},
      {"SELECT sk FROM app WHERE pk = 'even' ORDER BY sk DESC", 15},
      {"SELECT sk FROM app WHERE pk IN ['odd', 'even'] ORDER BY pk", 30},
      {"SELECT sk FROM app WHERE pk IN ['odd', 'none', 'even'] ORDER BY pk DESC, sk", 30},
      {"SELECT sk FROM app WHERE pk = 'odd' AND (sk < 6 OR sk BETWEEN 10 AND 15 OR sk = 29)", 7},
      {"SELECT sk FROM app WHERE pk = 'odd' AND sk IN [1, 2, 3, 29]", 3},
      {"SELECT sk FROM app.lsi WHERE pk = 'even' AND l IN [2, 0]", 10},
      {"SELECT sk FROM app.gsi WHERE g = 'G' ORDER BY l DESC", 30},
      {"SELECT sk FROM app.gsi WHERE g = 'G' AND (l = 0 OR l = 2)", 20},
  };
  for (const Row& row : rows) {
    const std::vector<std::string> whole = ReadAll(row.statement, 0);
    EXPECT_EQ(whole.size(), row.items) << row.statement;
    EXPECT_EQ(std::set(whole.begin(), whole.end()).size(), row.items) << row.statement;
    for (int limit : {1, 2, 3, 7, 15, 31}) {
      EXPECT_EQ(ReadAll(row.statement, limit), whole) << row.statement << limit;
    }
  }
}

TEST_F(StatementPaging, DescendingIsAscendingReversed) {
  const std::string odd = "SELECT sk FROM app WHERE pk = 'odd'";
  std::vector<std::string> ascending = ReadAll(odd, 0);
  std::ranges::reverse(ascending);
  EXPECT_EQ(ReadAll(odd + " ORDER BY sk DESC", 4), ascending);
}

TEST_F(StatementPaging, ATokenGoesWithItsStatement) {
  const std::string statement = "SELECT sk FROM app WHERE pk = 'odd'";
  const std::string token = FirstToken(statement);
  ASSERT_FALSE(token.empty());
  const std::string with_token = R"(,"NextToken":")" + token + "\"";
  for (const char* other : {"SELECT sk FROM app WHERE pk = 'even'", "SELECT sk FROM app",
                            "SELECT  sk FROM app WHERE pk = 'odd'"}) {
    api_.Fails("ExecuteStatement", Request(other, with_token), "ValidationException",
               "NextToken does not match request");
  }
  // Any member but the statement may change.
  api_.Ok("ExecuteStatement", Request(statement, with_token + R"(,"Limit":9)"));
  api_.Ok("ExecuteStatement", Request(statement, with_token + R"(,"ConsistentRead":true)"));
}

TEST_F(StatementPaging, ATokenGoesWithItsParametersAndTable) {
  const std::string statement = "SELECT sk FROM app WHERE pk = ?";
  const std::string odd = R"(,"Parameters":[{"S":"odd"}],"Limit":1)";
  rapidjson::Document answer;
  answer.Parse(api_.Ok("ExecuteStatement", Request(statement, odd)).c_str());
  const std::string with_token =
      R"(,"NextToken":")" + std::string(answer["NextToken"].GetString()) + "\"";
  api_.Ok("ExecuteStatement", Request(statement, odd + with_token));
  const std::string even = R"(,"Parameters":[{"S":"even"}],"Limit":1)";
  api_.Fails("ExecuteStatement", Request(statement, even + with_token), "ValidationException",
             "NextToken does not match request");
  // Another table with the same name.
  api_.Ok("DeleteTable", R"({"TableName":"app"})");
  api_.clock().Advance(60'000);
  api_.Ok("CreateTable", kStatementTable);
  api_.Fails("ExecuteStatement", Request(statement, odd + with_token), "ValidationException",
             "NextToken does not match request");
}

TEST_F(StatementPaging, AForgedTokenIsRefused) {
  const std::string statement = "SELECT sk FROM app.gsi WHERE g = 'G'";
  const std::string token = FirstToken(statement);
  ASSERT_FALSE(token.empty());
  std::vector<std::string> forged = {"x", "====", "AAAA", std::string(400, 'A'), "\\u0000", "é"};
  for (std::size_t size = 1; size < token.size(); ++size) forged.push_back(token.substr(0, size));
  forged.push_back(token + "AAAA");
  for (const std::string& each : forged) {
    const Api::Reply reply =
        api_.Call("ExecuteStatement", Request(statement, R"(,"NextToken":")" + each + "\""));
    EXPECT_EQ(reply.http_status, 400) << each;
    EXPECT_NE(reply.body.find("NextToken"), std::string::npos) << each << reply.body;
  }
  // A token with one changed character is refused, or is a position like any other.
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (const char c : {'A', '/', '9'}) {
      std::string changed = token;
      changed[i] = c;
      const Api::Reply reply =
          api_.Call("ExecuteStatement", Request(statement, R"(,"NextToken":")" + changed + "\""));
      EXPECT_TRUE(reply.http_status == 200 || reply.http_status == 400) << changed;
    }
  }
}

}  // namespace
}  // namespace hashrange
