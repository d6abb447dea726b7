// Tests what the clauses of a Query say about its sort key.
#include "simulation/sort_key_condition.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace hashrange {
namespace {

constexpr AttributeType kS = AttributeType::kS;
const KeySchema kSimple{{{"PK", kS}}, {{"SK", kS}}};
const KeySchema kComposite{{{"a", kS}, {"b", kS}}, {{"s", kS}, {"t", kS}}};

KeyClause On(std::string_view attribute, KeyOperator op) { return {attribute, op, {}, {}}; }

TEST(SortKeyCondition, IsTheOperatorOnTheRangeAttribute) {
  const struct {
    KeyOperator op;
    std::string_view text;
  } rows[] = {
      {KeyOperator::kEqual, "="},
      {KeyOperator::kLess, "<"},
      {KeyOperator::kLessOrEqual, "<="},
      {KeyOperator::kGreater, ">"},
      {KeyOperator::kGreaterOrEqual, ">="},
      {KeyOperator::kBetween, "BETWEEN"},
      {KeyOperator::kBeginsWith, "begins_with"},
  };
  const KeyClause hash = On("PK", KeyOperator::kEqual);
  for (const auto& [op, text] : rows) {
    EXPECT_EQ(SortKeyConditionOf(std::vector{hash, On("SK", op)}, kSimple), text);
    EXPECT_EQ(SortKeyConditionOf(std::vector{On("SK", op), hash}, kSimple), text);
  }
  EXPECT_EQ(SortKeyConditionOf(std::vector{hash}, kSimple), "none");
  EXPECT_EQ(SortKeyConditionOf({}, kSimple), "none");
}

TEST(SortKeyCondition, IsTheConditionThatIsNotAnEquality) {
  std::vector<KeyClause> clauses = {On("a", KeyOperator::kEqual), On("b", KeyOperator::kEqual)};
  EXPECT_EQ(SortKeyConditionOf(clauses, kComposite), "none");
  clauses.push_back(On("s", KeyOperator::kEqual));
  EXPECT_EQ(SortKeyConditionOf(clauses, kComposite), "=");
  clauses.push_back(On("t", KeyOperator::kGreater));
  EXPECT_EQ(SortKeyConditionOf(clauses, kComposite), ">");
  const std::vector<KeyClause> both = {On("PK", KeyOperator::kEqual),
                                       On("SK", KeyOperator::kGreaterOrEqual),
                                       On("SK", KeyOperator::kLess)};
  EXPECT_EQ(SortKeyConditionOf(both, kSimple), "BETWEEN");
}

}  // namespace
}  // namespace hashrange
