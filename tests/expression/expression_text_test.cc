#include "expression/expression_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expression/expression_fixture.h"
#include "expression/legacy_lowering.h"

namespace hashrange::testing {
namespace {

using Names = std::vector<std::string_view>;

struct TextCase {
  std::string_view expression;
  std::string_view text;
};

// The names and values of the cases.
class ExpressionText : public ::testing::Test {
 protected:
  std::string ConditionText(std::string_view expression) {
    return Text(AppendConditionText, BindCondition(ExpressionKind::kCondition, expression,
                                                   request_.placeholders(), arena_));
  }
  std::string ProjectionText(std::string_view expression) {
    return Text(AppendProjectionText, BindProjection(expression, request_.placeholders(), arena_));
  }
  std::string UpdateText(std::string_view expression) {
    return Text(AppendUpdateText, BindUpdate(expression, request_.placeholders(), arena_));
  }

  template <typename Bound>
  static std::string Text(void (*append)(const Bound&, std::string*), const Result<Bound>& bound) {
    std::string text = "> ";
    if (!bound.ok()) return bound.error().message;
    append(*bound, &text);
    return text.substr(2);
  }

  Arena arena_;
  Request request_{{{"#a", "a"},
                    {"#other", "a"},
                    {"#status", "status"},
                    {"#blank", "a b"},
                    {"#dot", "a.b"},
                    {"#quote", "say \"a\""},
                    {"#question", "?"},
                    {"#and", "And"},
                    {"#between", "between"},
                    {"#_", "_type"},
                    {"#0", "0"},
                    {"#utf8", "\xC3\xA9"}},
                   {{":n", N("1")},
                    {":m", N("2")},
                    {":s", S("x")},
                    {":t", S("S")},
                    {":l", L({N("1")})},
                    {":ss", SS({"x"})}}};
};

TEST_F(ExpressionText, Conditions) {
  static constexpr TextCase kCases[] = {
      {"a = :n", "a = ?"},
      {"a <> :n", "a <> ?"},
      {"a < :n", "a < ?"},
      {"a <= :n", "a <= ?"},
      {"a > :n", "a > ?"},
      {":n >= a", "? >= a"},
      {":n = :m", "? = ?"},
      {"a = b", "a = b"},
      {"a BETWEEN :n AND :m AND b = :n", "a BETWEEN ? AND ? AND b = ?"},
      {"a IN (:n)", "a IN (?)"},
      {"a IN (:n, :m, :s)", "a IN (?)"},
      {"a IN (b)", "a IN (b)"},
      {"a IN (:n, b, :m, size(c))", "a IN (b, size(c), ?)"},
      {"attribute_exists(a.b[0])", "attribute_exists(a.b[0])"},
      {"attribute_not_exists(a)", "attribute_not_exists(a)"},
      {"attribute_type(a, :t)", "attribute_type(a, ?)"},
      {"begins_with(a, :s)", "begins_with(a, ?)"},
      {"contains(a, size(b))", "contains(a, size(b))"},
      {"size(a) > :n", "size(a) > ?"},
      {"size(:s) > a", "? > a"},
  };
  for (const TextCase& test : kCases) {
    EXPECT_EQ(ConditionText(test.expression), test.text) << test.expression;
  }
}

TEST_F(ExpressionText, PlaceholdersAreTheirNames) {
  EXPECT_EQ(ConditionText("#a.#a = :n"), "a.a = ?");
  EXPECT_EQ(ConditionText("#other.a = :m"), "a.a = ?");
  EXPECT_EQ(ProjectionText("#other"), ProjectionText("#a"));
  EXPECT_EQ(UpdateText("SET #other = :n"), UpdateText("SET a = :m"));
}

TEST_F(ExpressionText, NamesThatNeedAPlaceholderAreQuoted) {
  EXPECT_EQ(ProjectionText("#status"), "status");
  EXPECT_EQ(ProjectionText("#blank"), "\"a b\"");
  EXPECT_EQ(ProjectionText("#dot"), "\"a.b\"");
  EXPECT_EQ(ProjectionText("a.b"), "a.b");
  EXPECT_EQ(ProjectionText("#quote"), "\"say \"\"a\"\"\"");
  EXPECT_EQ(ProjectionText("#question.#and.#between[2]"), "\"?\".\"And\".\"between\"[2]");
  EXPECT_EQ(ProjectionText("#_.#0.#utf8"), "\"_type\".\"0\".\"\xC3\xA9\"");
}

TEST_F(ExpressionText, ProjectionsAscendByPath) {
  EXPECT_EQ(ProjectionText("c, a.b[10], a.b[9], a.a, b1, b"), "a.a, a.b[9], a.b[10], b, b1, c");
  std::string text;
  AppendProjectionText(Projection(), &text);
  EXPECT_EQ(text, "");
  const std::string_view attributes[] = {"b", "a.b", "a"};
  AppendProjectionText(ProjectAttributes(attributes, arena_), &text);
  EXPECT_EQ(text, "a, \"a.b\", b");
}

TEST_F(ExpressionText, AColumnThatIsRepeatedIsAppendedOnce) {
  const PathElement names[] = {{"a"}, {"b"}, {"a"}};
  const Path columns[] = {{names, 2}, {names, 1}, {names + 2, 1}, {names, 2}};
  std::string text;
  AppendProjectionText(Projection(nullptr, columns), &text);
  EXPECT_EQ(text, "a, a.b");
}

TEST_F(ExpressionText, Updates) {
  static constexpr TextCase kCases[] = {
      {"SET a = :n", "SET a = ?"},
      {"SET b = :n, a.b[0] = c", "SET b = ?, a.b[0] = c"},
      {"SET a = a + :n, b = :n - b", "SET a = a + ?, b = ? - b"},
      {"SET a = if_not_exists(a, :n) + :m", "SET a = if_not_exists(a, ?) + ?"},
      {"SET a = list_append(:l, a)", "SET a = list_append(?, a)"},
      {"SET a = if_not_exists(b, if_not_exists(c, :n))",
       "SET a = if_not_exists(b, if_not_exists(c, ?))"},
      {"REMOVE b, a[1]", "REMOVE b, a[1]"},
      {"ADD a :n, b :ss", "ADD a ?, b ?"},
      {"DELETE a :ss", "DELETE a ?"},
      {"DELETE d :ss ADD c :n REMOVE b SET a = :n", "SET a = ? REMOVE b ADD c ? DELETE d ?"},
  };
  for (const TextCase& test : kCases) {
    EXPECT_EQ(UpdateText(test.expression), test.text) << test.expression;
  }
}

TEST_F(ExpressionText, LegacyConditionsAreTheExpressionsTheyMean) {
  const std::vector<ValueView> numbers = {N("2"), N("1"), N("3")};
  const std::vector<ValueView> texts = {S("x")};
  const auto make = [](std::string_view name, std::string_view comparison,
                       std::span<const ValueView> values) {
    return LegacyCondition{name, FindComparison(comparison), values};
  };
  const std::span<const ValueView> one = std::span(numbers).first(1);
  const std::span<const ValueView> two = std::span(numbers).first(2);
  const LegacyCondition conditions[] = {make("a", "EQ", one),
                                        make("a.b", "NE", one),
                                        make("b", "BETWEEN", two),
                                        make("c", "IN", one),
                                        make("c", "IN", numbers),
                                        make("d", "NOT_CONTAINS", texts),
                                        make("e", "BEGINS_WITH", texts),
                                        make("f", "NULL", {}),
                                        make("g", "NOT_NULL", {})};
  std::string text;
  AppendConditionText(LowerConditions(conditions, ConditionalOperator::kAnd, arena_), &text);
  EXPECT_EQ(text, ConditionText("a = :n AND #dot <> :n AND b BETWEEN :n AND :m AND c IN (:n) AND "
                                "c IN (:n, :m) AND attribute_exists(d) AND NOT contains(d, :s) AND "
                                "begins_with(e, :s) AND attribute_not_exists(f) AND "
                                "attribute_exists(g)"));
  EXPECT_EQ(text,
            "a = ? AND \"a.b\" <> ? AND b BETWEEN ? AND ? AND c IN (?) AND c IN (?) AND "
            "attribute_exists(d) AND NOT contains(d, ?) AND begins_with(e, ?) AND "
            "attribute_not_exists(f) AND attribute_exists(g)");
  text.clear();
  AppendConditionText(
      LowerConditions(std::span(conditions).subspan(4, 3), ConditionalOperator::kOr, arena_),
      &text);
  EXPECT_EQ(text, "c IN (?) OR attribute_exists(d) AND NOT contains(d, ?) OR begins_with(e, ?)");
}

TEST_F(ExpressionText, AttributeUpdatesAreTheUpdatesTheyMean) {
  const AttributeUpdate updates[] = {{"n", AttributeAction::kAdd, N("1")},
                                     {"d", AttributeAction::kDelete, SS({"x"})},
                                     {"a.b", AttributeAction::kPut, S("x")},
                                     {"r", AttributeAction::kDelete, std::nullopt},
                                     {"a", AttributeAction::kPut, S("y")}};
  std::string text;
  AppendUpdateText(LowerAttributeUpdates(updates, arena_), &text);
  EXPECT_EQ(text, UpdateText("ADD n :n DELETE d :ss SET #dot = :s, a = :s REMOVE r"));
  EXPECT_EQ(text, "SET \"a.b\" = ?, a = ? REMOVE r ADD n ? DELETE d ?");
}

TEST_F(ExpressionText, EmptyExpressionsHaveNoText) {
  std::string text;
  AppendConditionText(Condition(), &text);
  AppendUpdateText(Update(), &text);
  EXPECT_EQ(text, "");
}

TEST_F(ExpressionText, ListsAttributesOnceAndAscending) {
  Names names = {"before"};
  const auto condition = BindCondition(
      ExpressionKind::kFilter, "c.x = :n AND (size(b) > a.b OR c.y IN (:n, a)) AND #dot = :n",
      request_.placeholders(), arena_);
  ASSERT_TRUE(condition.ok());
  ListConditionAttributes(*condition, &names);
  EXPECT_EQ(names, (Names{"a", "a.b", "b", "c"}));
  const auto projection = BindProjection("b.x, a, b.y[0]", request_.placeholders(), arena_);
  ASSERT_TRUE(projection.ok());
  ListProjectionAttributes(*projection, &names);
  EXPECT_EQ(names, (Names{"a", "b"}));
  const auto update =
      BindUpdate("SET d = :n, b.x = c REMOVE b.y ADD a :n", request_.placeholders(), arena_);
  ASSERT_TRUE(update.ok());
  ListUpdatedAttributes(*update, &names);
  EXPECT_EQ(names, (Names{"a", "b", "d"}));
  ListConditionAttributes(Condition(), &names);
  EXPECT_EQ(names, Names());
}

}  // namespace
}  // namespace hashrange::testing
