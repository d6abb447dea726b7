// What a Query's request says of its sort key.
#include "simulation/sort_key_condition.h"

#include <gtest/gtest.h>

#include <string>

#include "base/arena.h"

namespace hashrange {
namespace {

KeySchema KeyOf(std::size_t hash_parts) {
  KeySchema key;
  for (std::size_t i = 0; i < hash_parts; ++i) {
    key.hash.push_back({"h" + std::to_string(i), AttributeType::kS});
  }
  key.range.push_back({"s", AttributeType::kS});
  return key;
}

std::string Condition(std::string body, std::size_t hash_parts = 1) {
  Arena arena;
  body.push_back('\0');
  const auto json = ParseJson({body.data(), body.size() - 1}, arena);
  return json.ok() ? std::string(SortKeyConditionOf(**json, KeyOf(hash_parts))) : "not JSON";
}

std::string OfExpression(std::string_view expression, std::size_t hash_parts = 1) {
  return Condition(std::string(R"({"KeyConditionExpression":")").append(expression).append("\"}"),
                   hash_parts);
}

TEST(SortKeyCondition, IsTheOperatorOfTheExpression) {
  const char* const rows[][2] = {
      {"PK = :p", "none"},
      {"PK=:p AND SK=:s", "="},
      {"SK = :s and PK = :p", "="},
      {"PK = :p AND SK < :s", "<"},
      {"PK = :p AND SK<=:s", "<="},
      {"#p = :p AND #s > :s", ">"},
      {"(PK = :p) AND (SK >= :s)", ">="},
      {"PK = :p AND SK between :a and :b", "BETWEEN"},
      {"PK = :p AND SK BETWEEN :a AND :b", "BETWEEN"},
      {"PK = :p AND begins_with(SK, :s)", "begins_with"},
      {"begins_with (SK, :s) AND PK = :p", "begins_with"},
  };
  for (const auto& [expression, condition] : rows) {
    EXPECT_EQ(OfExpression(expression), condition) << expression;
  }
}

TEST(SortKeyCondition, PlaceholdersAndNamesAreNoOperators) {
  EXPECT_EQ(OfExpression("#between = :begins_with"), "none");
  EXPECT_EQ(OfExpression("begins_with = :p"), "none");
}

TEST(SortKeyCondition, EqualitiesOfSeveralHashPartsAreNotOfTheSortKey) {
  EXPECT_EQ(OfExpression("a = :a AND b = :b", 2), "none");
  EXPECT_EQ(OfExpression("a = :a AND b = :b AND s = :s", 2), "=");
  EXPECT_EQ(OfExpression("a = :a AND b = :b AND s = :s AND t > :t", 2), ">");
}

TEST(SortKeyCondition, IsTheOperatorOfKeyConditions) {
  const auto of = [](const std::string& comparison) {
    return Condition(R"({"KeyConditions":{"h":{"ComparisonOperator":"EQ"},)"
                     R"("s":{"ComparisonOperator":")" +
                     comparison + R"("}}})");
  };
  EXPECT_EQ(of("EQ"), "=");
  EXPECT_EQ(of("LE"), "<=");
  EXPECT_EQ(of("BETWEEN"), "BETWEEN");
  EXPECT_EQ(of("BEGINS_WITH"), "begins_with");
  EXPECT_EQ(Condition(R"({"KeyConditions":{"h":{"ComparisonOperator":"EQ"}}})"), "none");
}

TEST(SortKeyCondition, OtherRequestsHaveNone) {
  EXPECT_EQ(Condition(R"({"Statement":"SELECT * FROM app WHERE h = 'a' AND s > 'b'"})"), "");
  EXPECT_EQ(Condition("[]"), "");
  EXPECT_EQ(Condition(R"({"KeyConditionExpression":1})"), "");
}

}  // namespace
}  // namespace hashrange
