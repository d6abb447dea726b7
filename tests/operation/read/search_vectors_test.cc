// SearchVectors against a naive search, and its limits. The messages and the answers of single
// requests are in golden/search_vectors.json.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/api.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

std::string VectorTable(const std::string& dimensions) {
  return R"({"TableName":"vec","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
      {"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"tenant","AttributeType":"S"},
      {"AttributeName":"kind","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"VectorIndexes":[
      {"IndexName":"all","VectorAttribute":{"AttributeName":"e"},"Dimensions":)" +
         dimensions + R"(,"DistanceFunction":"EUCLIDEAN","Projection":{"ProjectionType":"ALL"}},
      {"IndexName":"of_tenant","VectorAttribute":{"AttributeName":"e"},"Dimensions":)" +
         dimensions +
         R"(,"DistanceFunction":"EUCLIDEAN","Projection":{"ProjectionType":"KEYS_ONLY"},
       "SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"},
                       {"AttributeName":"kind","SearchSchemaElementType":"INLINE_FILTER"}]}]})";
}

using Vector = std::array<float, 3>;

std::string JsonOf(const Vector& vector) {
  std::string text;
  for (const float element : vector) {
    text += (text.empty() ? R"({"N":")" : R"(,{"N":")") + std::to_string(element) + "\"}";
  }
  return "[" + text + "]";
}

struct Entry {
  std::string tenant;
  std::string kind;
  Vector vector;
};

// The keys and scores of the best entries, best first.
using Ranking = std::vector<std::pair<std::string, double>>;

Ranking NaiveSearch(const std::map<std::string, Entry>& entries, const Vector& query,
                    const std::string& tenant, const std::string& kind, std::size_t k) {
  Ranking ranking;
  for (const auto& [pk, entry] : entries) {
    if (!tenant.empty() && entry.tenant != tenant) continue;
    if (!kind.empty() && entry.kind != kind) continue;
    double sum = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double difference = double{entry.vector[i]} - double{query[i]};
      sum += difference * difference;
    }
    ranking.emplace_back(pk, std::sqrt(sum));
  }
  std::ranges::sort(ranking, {}, &Ranking::value_type::second);
  if (ranking.size() > k) ranking.resize(k);
  for (auto& [pk, score] : ranking) score = static_cast<float>(score);
  return ranking;
}

Ranking RankingOf(const std::string& answer) {
  const auto json = OwnedJson::Parse(answer, JsonDialect::kRequest);
  Ranking ranking;
  for (const JsonValue& result : json->value().Find("SearchResults")->elements()) {
    const JsonValue& score = *result.Find("Score");
    ranking.emplace_back(result.Find("Item")->Find("pk")->Find("S")->string(),
                         score.type == JsonValue::Type::kInteger
                             ? static_cast<double>(score.integer)
                             : score.decimal);
  }
  return ranking;
}

TEST(SearchVectors, FindsWhatANaiveSearchFinds) {
  Api api;
  api.Ok("CreateTable", VectorTable("3"));
  std::mt19937 random(20261128);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random()) % limit; };
  // Hundred-thousandths, of which std::to_string writes every digit.
  const auto vector = [&] {
    Vector made;
    for (float& each : made) {
      each = static_cast<float>(static_cast<int>(below(200'001)) - 100'000) / 100'000;
    }
    return made;
  };
  std::map<std::string, Entry> entries;
  for (int round = 0; round < 600; ++round) {
    const std::string pk = std::to_string(below(80));
    if (below(4) == 0) {
      api.Ok("DeleteItem", R"({"TableName":"vec","Key":{"pk":{"S":")" + pk + "\"}}}");
      entries.erase(pk);
      continue;
    }
    const Entry entry{"t" + std::to_string(below(3)), "k" + std::to_string(below(2)), vector()};
    api.Ok("PutItem", R"({"TableName":"vec","Item":{"pk":{"S":")" + pk + R"("},"tenant":{"S":")" +
                          entry.tenant + R"("},"kind":{"S":")" + entry.kind + R"("},"e":{"L":)" +
                          JsonOf(entry.vector) + "}}}");
    entries[pk] = entry;
    const Vector query = vector();
    const std::size_t k = 1 + below(100);
    const std::string rest = R"("SearchVector":)" + JsonOf(query) + R"(,"TopK":)" +
                             std::to_string(k) + R"(,"ProjectionExpression":"pk")";
    const std::string of_all =
        api.Ok("SearchVectors", R"({"TableName":"vec","IndexName":"all",)" + rest + "}");
    EXPECT_EQ(RankingOf(of_all), NaiveSearch(entries, query, "", "", k)) << round;
    const std::string of_tenant = api.Ok(
        "SearchVectors",
        R"({"TableName":"vec","IndexName":"of_tenant","SearchConditionExpression":"tenant = :t AND kind = :k",)"
        R"("ExpressionAttributeValues":{":t":{"S":")" +
            entry.tenant + R"("},":k":{"S":"k1"}},)" + rest + "}");
    EXPECT_EQ(RankingOf(of_tenant), NaiveSearch(entries, query, entry.tenant, "k1", k)) << round;
  }
}

std::string Repeated(const std::string& text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) repeated += (i == 0 ? "" : ",") + text;
  return repeated;
}

// 160 vectors of 4,096 floats are 2.5 MB.
TEST(SearchVectors, ALongSearchLeavesItsThreadIfItMay) {
  Api api;
  api.Ok("CreateTable", VectorTable("4096"));
  const std::string vector = "[" + Repeated(R"({"N":"1"})", 4096) + "]";
  const auto put = [&](int i) {
    api.Ok("PutItem", R"({"TableName":"vec","Item":{"pk":{"S":")" + std::to_string(i) +
                          R"("},"e":{"L":)" + vector + "}}}");
  };
  const std::string search = R"({"TableName":"vec","IndexName":"all","ProjectionExpression":"pk",)"
                             R"("TopK":1,"SearchVector":)" +
                             vector + "}";
  const auto handle = [&](bool may_leave, OutputBuffer& out) {
    std::string body = search + " ";  // the byte behind the body is written to
    ApiRequest request{.target = "DynamoDB_20120810.SearchVectors",
                       .authorization =
                           "AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/"
                           "dynamodb/aws4_request, SignedHeaders=host, Signature=0"};
    request.has_date = true;
    request.may_leave = may_leave;
    request.body = {body.data(), search.size()};
    return api.dispatcher().Handle(request, out);
  };
  put(0);
  OutputBuffer short_search, long_search, repeated;
  EXPECT_EQ(handle(true, short_search).body_to_repeat, nullptr);
  EXPECT_THAT(std::string(short_search.view()), testing::HasSubstr("SearchResults"));
  for (int i = 1; i < 160; ++i) put(i);
  const ApiAnswer left = handle(true, long_search);
  ASSERT_NE(left.body_to_repeat, nullptr);
  EXPECT_EQ(*left.body_to_repeat, search);
  EXPECT_EQ(long_search.view(), "");
  EXPECT_EQ(handle(false, repeated).body_to_repeat, nullptr);
  EXPECT_THAT(std::string(repeated.view()), testing::HasSubstr("SearchResults"));
}

// An item without its vector has 2 + 2 + 3 + 399,993 = 400,000 bytes: 41 of them are below 16 MB.
TEST(SearchVectors, AnAnswerHas16MegabytesOfItemsAtMost) {
  Api api;
  api.Ok("CreateTable", VectorTable("1"));
  for (int i = 10; i < 55; ++i) {
    api.Ok("PutItem", R"({"TableName":"vec","Item":{"pk":{"S":")" + std::to_string(i) +
                          R"("},"e":{"L":[{"N":")" + std::to_string(i) + R"("}]},"pad":{"S":")" +
                          std::string(399'993, 'x') + "\"}}}");
  }
  const Ranking found = RankingOf(
      api.Ok("SearchVectors",
             R"({"TableName":"vec","IndexName":"all","TopK":100,"SearchVector":[{"N":"10"}]})"));
  ASSERT_EQ(found.size(), 41u);
  EXPECT_EQ(found.back().first, "50");
}

}  // namespace
}  // namespace hashrange
