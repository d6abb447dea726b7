#include "expression/partiql/bound_statement.h"

#include <gtest/gtest.h>

#include "expression/expression_text.h"
#include "expression/partiql/statement_fixture.h"

namespace hashrange::partiql::testing {
namespace {

class BoundStatementTest : public ::testing::Test {
 protected:
  Result<BoundStatement> Bind(std::string_view text, std::vector<ValueView> parameters = {}) {
    parameters_ = std::move(parameters);
    return BindStatement(CachedStatement(text), parameters_, arena_);
  }
  std::string Message(std::string_view text, std::vector<ValueView> parameters = {}) {
    const auto bound = Bind(text, std::move(parameters));
    return bound.ok() ? "ok" : bound.error().message;
  }
  bool Matches(std::string_view where, const Entries& item,
               std::vector<ValueView> parameters = {}) {
    const auto bound = Bind("SELECT * FROM T WHERE " + std::string(where), std::move(parameters));
    EXPECT_TRUE(bound.ok()) << where;
    if (!bound.ok()) return false;
    EXPECT_EQ(bound->statement->error + bound->statement->late_error, "") << where;
    return LinkCondition(bound->statement->where, bound->operands, arena_)
        .Matches(TestItem(item).view());
  }

  static std::string ConditionText(const Condition& condition) {
    std::string text;
    AppendConditionText(condition, &text);
    return text;
  }

  Arena arena_;
  std::vector<ValueView> parameters_;
};

TEST_F(BoundStatementTest, ParametersAreTakenInTheOrderOfTheText) {
  EXPECT_TRUE(
      Matches("b = ? AND a IN [?, ?]", {{"a", N("3")}, {"b", S("x")}}, {S("x"), N("2"), N("3")}));
  EXPECT_FALSE(
      Matches("b = ? AND a IN [?, ?]", {{"a", N("3")}, {"b", S("x")}}, {N("3"), S("x"), S("x")}));
  const auto insert =
      Bind("INSERT INTO T VALUE {'z':?,'a':?,'m':'lit'}", {S("first"), S("second")});
  ASSERT_TRUE(insert.ok());
  EXPECT_EQ(Print(insert->item), "{a: \"second\", m: \"lit\", z: \"first\"}");
}

TEST_F(BoundStatementTest, ConditionsAreComparedWithBooleans) {
  const Entries item = {{"a", N("1")}, {"fake", Bool(false)}, {"yes", Bool(true)}};
  for (const char* holds :
       {"attribute_exists(x) = false", "true = attribute_exists(a)", "attribute_exists(a) <> 1",
        "(a = 1 OR x = 2) = yes", "(a = 2 AND x = 2) = fake", "(NOT a = 1) IN [false, 3]",
        "attribute_exists(x) = contains(x, 'y')", "((a = 1) = true) = true",
        "attribute_exists(a) = (a BETWEEN 0 AND 2)"}) {
    EXPECT_TRUE(Matches(holds, item)) << holds;
    EXPECT_FALSE(Matches("NOT (" + std::string(holds) + ")", item)) << holds;
  }
  for (const char* fails : {"attribute_exists(a) = 1", "attribute_exists(a) = a",
                            "(attribute_exists(a) = true) = false", "(a = 1) = x"}) {
    EXPECT_FALSE(Matches(fails, item)) << fails;
  }
}

TEST_F(BoundStatementTest, TheTextOfAClauseIsThatOfItsExpression) {
  const auto bound = Bind(
      "UPDATE T SET \"a b\" = list_append(list_append(?, l), [1]) SET s = set_add(s, <<'x'>>), n = "
      "n "
      "+ 1 REMOVE r[0] WHERE pk = ? AND n = 1",
      {L({}), S("k")});
  ASSERT_TRUE(bound.ok());
  std::string text;
  AppendUpdateText(bound->update, &text);
  EXPECT_EQ(text, "SET \"a b\" = list_append(list_append(?, l), ?), n = n + ? REMOVE r[0] ADD s ?");
  const auto columns = Bind("SELECT b, a.c[1], b FROM T");
  ASSERT_TRUE(columns.ok());
  text.clear();
  AppendProjectionText(Projection(nullptr, columns->columns), &text);
  EXPECT_EQ(text, "a.c[1], b");
  struct Case {
    const char* where;
    const char* text;
  };
  static constexpr Case kCases[] = {
      {"pk = 'a' AND (n IN [1, 2] OR n NOT IN [3])", "pk = ? AND (n IN (?) OR NOT n IN (?))"},
      {"a IS STRING AND b IS NOT MISSING AND c IS NOT NULL",
       "attribute_type(a, ?) AND attribute_exists(b) AND NOT attribute_type(c, ?)"},
      {"attribute_exists(x) = false", "attribute_exists(x) = ?"},
      {"(NOT attribute_exists(x)) = false", "(NOT attribute_exists(x)) = ?"},
      {"((a = 1 OR x = 2) = yes) = (a BETWEEN 0 AND 2)",
       "((a = ? OR x = ?) = yes) = (a BETWEEN ? AND ?)"},
      {"(a = 1) IN [false, 3]", "(a = ?) IN (?)"},
  };
  for (const Case& test : kCases) {
    const auto select = Bind("SELECT * FROM T WHERE " + std::string(test.where));
    ASSERT_TRUE(select.ok()) << test.where;
    EXPECT_EQ(ConditionText(LinkCondition(select->statement->where, select->operands, arena_)),
              test.text);
  }
}

TEST_F(BoundStatementTest, RefusesParametersThatDoNotFit) {
  EXPECT_EQ(Message("SELECT * FROM T WHERE a = ?"),
            "Number of parameters in request and statement don't match.");
  EXPECT_EQ(Message("SELECT * FROM T", {S("x")}),
            "Number of parameters in request and statement don't match.");
  EXPECT_EQ(Message("SELECT * FROM T WHERE a < ?", {L({})}),
            "Incorrect operand type for operator or function; operator or function: <, operand "
            "type: L");
  EXPECT_EQ(Message("SELECT * FROM T WHERE begins_with(a, ?)", {N("1")}),
            "Incorrect operand type for operator or function; operator or function: begins_with, "
            "operand type: N");
  EXPECT_EQ(Message("SELECT * FROM T WHERE attribute_type(a, ?)", {S("X")}),
            "Invalid attribute type name found; type: X, valid types: "
            "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  EXPECT_EQ(Message("UPDATE T SET s = set_add(s, ?)", {N("1")}),
            "The second argument to SET_ADD must be a value with type SET at 1:26:1");
  EXPECT_EQ(Message("UPDATE T SET s = set_add(s, ?)", {NS({"1"})}), "ok");
  EXPECT_EQ(Message("UPDATE T SET a = b + ?", {S("x")}),
            "Incorrect operand type for operator or function; operator or function: +, operand "
            "type: S");
  EXPECT_EQ(Message("UPDATE T SET a.b = 1 REMOVE a"),
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [a, b], path two: [a]");
}

TEST_F(BoundStatementTest, UpdatesAreApplied) {
  const auto bound = Bind(
      "UPDATE T SET n = n + 1, s = set_delete(s, <<'y'>>) SET m.k = n REMOVE gone WHERE pk = 'x'");
  ASSERT_TRUE(bound.ok());
  const TestItem item({{"gone", N("1")}, {"m", M({})}, {"n", N("4")}, {"s", SS({"x", "y"})}});
  const auto after = bound->update.Apply(item.view(), {}, arena_);
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_EQ(Print(*after), "{m: {k: 4}, n: 5, pk: \"k\", s: SS<\"x\">}");
}

}  // namespace
}  // namespace hashrange::partiql::testing
