// Paging: following LastEvaluatedKey gives every item once and in order, for tables and indexes, in
// both directions and for any page size; pages end at Limit and at 1 MB.
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

std::string JsonTextOf(const rapidjson::Value& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer writer(buffer);
  json.Accept(writer);
  return buffer.GetString();
}

constexpr char kPagedTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
    {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"},
    {"AttributeName":"l","AttributeType":"B"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"lsi","KeySchema":[
    {"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"KEYS_ONLY"}}],
  "GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[
    {"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}]})";

class Paging : public testing::Test {
 protected:
  Paging() { api_.Ok("CreateTable", kPagedTable); }

  void Put(const std::string& pk, int sk, const std::string& more) {
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":")" + pk + R"("},"sk":{"N":")" +
                           std::to_string(sk) + "\"}" + more + "}}");
  }

  // 40 items in two item collections; many of them share an index position.
  void PutForty() {
    for (int i = 0; i < 40; ++i) {
      const std::string l = i % 3 == 0 ? "AA==" : "AAA=";
      Put(i % 2 ? "odd" : "even", i, R"(,"g":{"S":"G"},"l":{"B":")" + l + "\"}");
    }
  }

  // Returns every item of the read, page after page; the `members` of the request end in a comma.
  std::vector<std::string> ReadAll(const std::string& operation, const std::string& members,
                                   int limit) {
    std::vector<std::string> items;
    std::string start;
    for (int page = 0; page < 100; ++page) {
      const std::string request = "{" + members + R"("TableName":"app")" +
                                  (limit ? ",\"Limit\":" + std::to_string(limit) : "") + start +
                                  "}";
      rapidjson::Document answer;
      answer.Parse(api_.Ok(operation, request).c_str());
      for (const auto& item : answer["Items"].GetArray()) items.push_back(JsonTextOf(item));
      if (limit) {
        EXPECT_LE(answer["Items"].Size(), static_cast<unsigned>(limit));
      }
      if (!answer.HasMember("LastEvaluatedKey")) return items;
      start = R"(,"ExclusiveStartKey":)" + JsonTextOf(answer["LastEvaluatedKey"]);
    }
    ADD_FAILURE() << "the read does not end: " << members;
    return items;
  }

  Api api_;
};

TEST_F(Paging, PagesOfAnySizeGiveTheSameItemsInTheSameOrder) {
  PutForty();
  const std::string even = R"("KeyConditionExpression":"pk = :p",
    "ExpressionAttributeValues":{":p":{"S":"even"}},)";
  const std::string all = R"("KeyConditionExpression":"g = :p",
    "ExpressionAttributeValues":{":p":{"S":"G"}},)";
  struct Row {
    const char* operation;
    std::string members;
    std::size_t items;
  };
  const Row rows[] = {
      {"Query", even, 20},
      {"Query", R"("IndexName":"lsi",)" + even, 20},
      {"Query", R"("IndexName":"gsi",)" + all, 40},
      {"Scan", "", 40},
      {"Scan", R"("IndexName":"lsi",)", 40},
      {"Scan", R"("IndexName":"gsi",)", 40},
      {"Scan", R"("Segment":0,"TotalSegments":1,)", 40},
  };
  for (const Row& row : rows) {
    const bool is_query = std::string(row.operation) == "Query";
    for (const char* direction : {"", R"("ScanIndexForward":false,)"}) {
      const std::string members = (is_query ? direction : "") + row.members;
      const std::vector<std::string> whole = ReadAll(row.operation, members, 0);
      EXPECT_EQ(whole.size(), row.items) << members;
      EXPECT_EQ(std::set(whole.begin(), whole.end()).size(), row.items) << members;
      for (int limit : {1, 3, 7, 20, 41}) {
        EXPECT_EQ(ReadAll(row.operation, members, limit), whole) << members << limit;
      }
    }
    if (!is_query) continue;
    std::vector<std::string> forward = ReadAll("Query", row.members, 0);
    std::ranges::reverse(forward);
    EXPECT_EQ(ReadAll("Query", R"("ScanIndexForward":false,)" + row.members, 0), forward);
  }
}

TEST_F(Paging, SegmentsAreDisjointAndCoverTheTable) {
  PutForty();
  for (int i = 0; i < 200; ++i) Put("k" + std::to_string(i), 0, "");
  for (int total : {1, 2, 3, 7, 64}) {
    std::multiset<std::string> items;
    for (int segment = 0; segment < total; ++segment) {
      const std::string members = R"("Segment":)" + std::to_string(segment) +
                                  R"(,"TotalSegments":)" + std::to_string(total) + ",";
      for (std::string& item : ReadAll("Scan", members, 5)) items.insert(std::move(item));
    }
    EXPECT_EQ(items.size(), 240u) << total;
    EXPECT_EQ(std::set(items.begin(), items.end()).size(), 240u) << total;
  }
  api_.Answers("Scan", R"({"TableName":"app","Segment":999998,"TotalSegments":1000000})",
               R"({"Items":[],"Count":0,"ScannedCount":0})");
}

// The last item reaches the limit: the page does not know that no item follows.
TEST_F(Paging, LimitExactlyMetStillGivesALastEvaluatedKey) {
  Put("p", 1, "");
  Put("p", 2, "");
  const std::string query = R"({"TableName":"app","Select":"COUNT",
    "KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}},)";
  api_.Answers(
      "Query", query + R"("Limit":2})",
      R"({"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"N":"2"}}})");
  api_.Answers("Query", query + R"("Limit":3})", R"({"Count":2,"ScannedCount":2})");
}

// The fetched items count, although the entries of the index are small.
TEST_F(Paging, PageEndsWithTheFetchedItemThatReachesOneMegabyte) {
  const std::string half = R"(,"l":{"B":"AA=="},"a":{"S":")" + std::string(1 << 18, 'x') + "\"}";
  for (int sk = 1; sk <= 5; ++sk) Put("p", sk, half);
  const std::string query = R"({"TableName":"app","IndexName":"lsi","KeyConditionExpression":
    "pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}},)";
  rapidjson::Document answer;
  answer.Parse(api_.Ok("Query", query + R"("Select":"ALL_ATTRIBUTES"})").c_str());
  EXPECT_EQ(answer["Count"].GetInt(), 4);
  EXPECT_EQ(JsonTextOf(answer["LastEvaluatedKey"]),
            R"({"pk":{"S":"p"},"sk":{"N":"4"},"l":{"B":"AA=="}})");
  api_.Answers("Query", query + R"("Select":"COUNT"})", R"({"Count":5,"ScannedCount":5})");
}

// An item has the sizes of pk (2+1), sk (2+2) and a (1+n): 8+n bytes.
TEST_F(Paging, PageEndsWithTheItemThatReachesOneMegabyte) {
  const std::string half = R"(,"a":{"S":")" + std::string((1 << 18) - 8, 'x') + "\"}";
  for (int sk = 1; sk <= 5; ++sk) Put("p", sk, half);
  const std::string query = R"({"TableName":"app","Select":"COUNT","ConsistentRead":true,
    "ReturnConsumedCapacity":"TOTAL","KeyConditionExpression":"pk = :p",
    "ExpressionAttributeValues":{":p":{"S":"p"}})";
  api_.Answers("Query", query + "}",
               R"({"Count":4,"ScannedCount":4,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"N":"4"}},
                   "ConsumedCapacity":{"TableName":"app","CapacityUnits":256}})");
  api_.Answers("Query", query + R"(,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"4"}}})",
               R"({"Count":1,"ScannedCount":1,
                   "ConsumedCapacity":{"TableName":"app","CapacityUnits":64}})");
  Put("p", 1, R"(,"a":{"S":")" + std::string((1 << 18) - 9, 'x') + "\"}");
  api_.Answers("Query", query + "}",
               R"({"Count":5,"ScannedCount":5,"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"N":"5"}},
                   "ConsumedCapacity":{"TableName":"app","CapacityUnits":320}})");
  // Neither filter nor projection lengthens the page.
  api_.Answers("Query",
               R"({"TableName":"app","ProjectionExpression":"sk","FilterExpression":"size(a) = :n",
                   "ScanIndexForward":false,"KeyConditionExpression":"pk = :p",
                   "ExpressionAttributeValues":{":p":{"S":"p"},":n":{"N":"262135"}}})",
               R"({"Items":[],"Count":0,"ScannedCount":4,
                   "LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"N":"2"}}})");
}

}  // namespace
}  // namespace hashrange
