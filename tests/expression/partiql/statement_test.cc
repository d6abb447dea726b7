// Tables of statements and the lowered statements as text.
#include "expression/partiql/statement.h"

#include <gtest/gtest.h>

#include "expression/partiql/statement_fixture.h"

namespace hashrange::partiql::testing {
namespace {

struct StatementCase {
  std::string_view text;
  std::string_view expected;
};

void Check(std::span<const StatementCase> cases) {
  for (const StatementCase& test : cases) EXPECT_EQ(Parsed(test.text), test.expected) << test.text;
}

TEST(Statement, SelectHasColumnsConditionAndOrder) {
  Check(std::vector<StatementCase>{
      {"SELECT * FROM T", "SELECT FROM T"},
      {"select ALL a.b, \"c\"[1].d, e[0][2] from \"T-1\".\"i x\";",
       "SELECT a.b AS b c[1].d AS d e[0][2] AS e[0][2] FROM T-1.i x"},
      {"SELECT a, x.a FROM T", "SELECT a AS  x.a AS a FROM T"},
      {"SELECT * FROM T WHERE a = 1 ORDER BY b DESC, c ASC, d",
       "SELECT FROM T WHERE (= a 1) BY b DESC BY c BY d"},
      {"SELECT * FROM T WHERE pk = ? AND n IN [?, 1]",
       "SELECT FROM T WHERE (AND (= pk ?0) (IN n ?1 1))"},
  });
}

TEST(Statement, OperatorsBindAsInPartiQl) {
  Check(std::vector<StatementCase>{
      {"SELECT * FROM T WHERE a = 1 OR b = 2 AND NOT c = 3 AND d < 4",
       "SELECT FROM T WHERE (OR (= a 1) (AND (AND (= b 2) (NOT (= c 3))) (< d 4)))"},
      {"SELECT * FROM T WHERE (a = 1 OR b = 2) AND ((c = 3))",
       "SELECT FROM T WHERE (AND (OR (= a 1) (= b 2)) (= c 3))"},
      {"SELECT * FROM T WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN ? AND c",
       "SELECT FROM T WHERE (AND (BETWEEN a 1 2) (NOT (BETWEEN b ?0 c)))"},
      {"SELECT * FROM T WHERE a = b < c", "SELECT FROM T WHERE (= a (< b c))"},
      {"SELECT * FROM T WHERE a = 1 = true", "SELECT FROM T WHERE (= (= a 1) true)"},
      {"SELECT * FROM T WHERE NOT NOT a IN (1) = false",
       "SELECT FROM T WHERE (NOT (NOT (= (IN a 1) false)))"},
      {"SELECT * FROM T WHERE a NOT IN (1, 'x')", "SELECT FROM T WHERE (NOT (IN a 1 \"x\"))"},
      {"SELECT * FROM T WHERE a = -1 AND b = - -+2", "SELECT FROM T WHERE (AND (= a -1) (= b 2))"},
      {"SELECT * FROM T WHERE 1 <> a", "SELECT FROM T WHERE (<> 1 a)"},
      // A word may begin with an underscore, unlike in an expression.
      {"SELECT * FROM T WHERE _pk = 1 AND a._b < 2",
       "SELECT FROM T WHERE (AND (= _pk 1) (< a._b 2))"},
  });
}

TEST(Statement, TypeTestsAreFunctions) {
  Check(std::vector<StatementCase>{
      {"SELECT * FROM T WHERE a IS MISSING", "SELECT FROM T WHERE (attribute_not_exists a)"},
      {"SELECT * FROM T WHERE a.b IS NOT MISSING", "SELECT FROM T WHERE (attribute_exists a.b)"},
      {"SELECT * FROM T WHERE a IS NULL", "SELECT FROM T WHERE (attribute_type a \"NULL\")"},
      {"SELECT * FROM T WHERE a IS NOT BOOL",
       "SELECT FROM T WHERE (NOT (attribute_type a \"BOOL\"))"},
      {"SELECT * FROM T WHERE a IS STRING AND b = 1",
       "SELECT FROM T WHERE (AND (attribute_type a \"S\") (= b 1))"},
      {"SELECT * FROM T WHERE Begins_With(a, 'x') AND SIZE(b) > 1",
       "SELECT FROM T WHERE (AND (begins_with a \"x\") (> (size b) 1))"},
      {"SELECT * FROM T WHERE a IS INT8", "late: Unsupported operation: IsType"},
      {"SELECT * FROM T WHERE 1 IS NULL", "late: Unsupported operation: IsType"},
  });
}

TEST(Statement, LiteralsAreValues) {
  Check(std::vector<StatementCase>{
      {"INSERT INTO T VALUE {'a':1,'b':-.5e1,'c':'it''s','d':TRUE,'e':NULL,'f':?}",
       "INSERT FROM T a:1 b:-5 c:\"it's\" d:true e:null f:?0"},
      {"INSERT INTO T VALUE {'l':[1,[],{'x':'y'}],'m':{},'n':{'b':1,'a':2}}",
       "INSERT FROM T l:[1, [], {x: \"y\"}] m:{} n:{a: 2, b: 1}"},
      {"INSERT INTO T VALUE {'s':<<'b','a'>>,'n':<<10,-1,2>>}",
       "INSERT FROM T s:SS<\"a\", \"b\"> n:NS<-1, 2, 10>"},
      {"INSERT INTO T VALUE {'n':{'b':1,'b':2}}", "INSERT FROM T n:{b: 2}"},
      {"INSERT INTO T VALUE {}", "INSERT FROM T"},
      {"INSERT INTO T VALUE {'a':<<1,'x'>>}",
       "error: Unsupported data type in a set under root[1] at 1:30:3"},
      {"INSERT INTO T VALUE {'a':[x.y]}",
       "error: Unsupported data type: Path under key root[0] at 1:27:1"},
      {"INSERT INTO T VALUE {'a':{'':1}}", "error: Empty attribute name"},
      {"INSERT INTO T VALUE {'':1}", "error: Empty attribute name"},
      {"INSERT INTO T VALUE ?", "late: Unsupported operation: Insert"},
      {"INSERT INTO T VALUES (1)", "malformed: Unexpected keyword"},
  });
}

TEST(Statement, LiteralsNestAsDeepAsValues) {
  const std::string most =
      "INSERT INTO T VALUE {'a':" + Repeat("[", 31) + "1" + Repeat("]", 31) + "}";
  EXPECT_EQ(Parsed(most), "INSERT FROM T a:" + Repeat("[", 31) + "1" + Repeat("]", 31));
  const std::string more =
      "INSERT INTO T VALUE {'a':{'k':" + Repeat("[", 31) + "1" + Repeat("]", 31) + "}}";
  EXPECT_EQ(Parsed(more), "error: Nesting Levels have exceeded supported limits under root.k" +
                              Repeat("[0]", 31));
  const std::string set =
      "INSERT INTO T VALUE {'a':" + Repeat("[", 31) + "<<1>>" + Repeat("]", 31) + "}";
  EXPECT_EQ(Parsed(set), "INSERT FROM T a:" + Repeat("[", 31) + "NS<1>" + Repeat("]", 31));
}

TEST(Statement, UpdatesAreActions) {
  Check(std::vector<StatementCase>{
      {"UPDATE T SET a = 1, b.c = b.d SET e = e + ? REMOVE f, g[1] WHERE pk = 'x'",
       "UPDATE FROM T SET a 1 SET b.c b.d SET e (+ e ?0) REMOVE f REMOVE g[1] WHERE (= pk \"x\")"},
      {"FROM T WHERE pk = 'x' SET l = list_append(['a'], l), n = IF_NOT_EXISTS(n, 0)",
       "UPDATE FROM T SET l (list_append [\"a\"] l) SET n (if_not_exists n 0) WHERE (= pk \"x\")"},
      {"UPDATE T SET s = set_add(s, <<1>>), t.u = SET_DELETE(\"t\".u, ?) RETURNING ALL NEW *",
       "UPDATE FROM T ADD s NS<1> DELETE t.u ?0 RETURNING ALL NEW"},
      {"UPDATE T SET a = list_append(list_append(a, b), [1, [2]])",
       "UPDATE FROM T SET a (list_append (list_append a b) [1, [2]])"},
      {"UPDATE T SET a = 1 - 2", "UPDATE FROM T SET a (- 1 2)"},
      {"UPDATE T SET a = b + c + d", "late: Unsupported operation: +"},
      {"UPDATE T SET a = b = c", "late: Unsupported operation: ="},
      {"UPDATE T SET a = size(b)", "late: Unrecognized function: size at 1:18:4"},
      {"UPDATE T SET a = list_append(set_add(a, <<1>>), b)",
       "late: Unrecognized function: set_add at 1:30:7"},
  });
}

TEST(Statement, DeleteMayReturnTheOldItem) {
  Check(std::vector<StatementCase>{
      {"DELETE FROM T WHERE pk = 'x' RETURNING ALL OLD *",
       "DELETE FROM T WHERE (= pk \"x\") RETURNING ALL OLD"},
      {"DELETE FROM T RETURNING MODIFIED NEW *",
       "late: Invalid returning clause: RETURNING MODIFIED NEW *. Only RETURNING ALL OLD * is "
       "allowed in DELETE statements."},
      {"INSERT INTO T VALUE {} RETURNING ALL OLD *",
       "late: Invalid returning clause: RETURNING ALL OLD *."},
      {"DELETE FROM T RETURNING ALL OLD a", "late: Unsupported operation: ReturningColumn"},
  });
}

TEST(Statement, ExistsHoldsASelect) {
  Check(std::vector<StatementCase>{
      {"EXISTS(SELECT * FROM T WHERE pk = 'x' AND a = 1);",
       "EXISTS FROM T WHERE (AND (= pk \"x\") (= a 1))"},
      {"EXISTS(SELECT * FROM T", "malformed: Expected RIGHT_PAREN"},
      {"EXISTS(a)", "malformed: Expected data manipulation"},
  });
}

// The public PartiQL parser has the same messages: the service's parser follows it.
TEST(Statement, MalformedStatementsReportTheirFirstProblem) {
  Check(std::vector<StatementCase>{
      {"", "malformed: Unexpected term"},
      {"INSERT T VALUE {}", "malformed: Unexpected keyword"},
      {"SELECT FROM T", "malformed: Unexpected keyword"},
      {"SELECT a b c FROM T", "malformed: Expected FROM after SELECT list"},
      {"SELECT a AS FROM T", "malformed: Expected identifier for alias"},
      {"SELECT * FROM T, U", "malformed: FROM clause may only contain a single table name"},
      {"SELECT * FROM T WHERE f(*)", "malformed: f(*) is not allowed"},
      {"SELECT * FROM T WHERE a IN",
       "malformed: Missing right-hand side expression of infix operator"},
      {"SELECT * FROM T WHERE a IN ()", "malformed: Unexpected term"},
      {"SELECT * FROM T WHERE a BETWEEN 1 OR 2", "malformed: Expected AND keyword"},
      {"SELECT * FROM T WHERE a BETWEEN 1 AND", "malformed: Expected expression after AND"},
      {"SELECT * FROM T WHERE a. = 1", "malformed: Invalid path dot component"},
      {"SELECT * FROM T WHERE a['x'] = 1", "malformed: Invalid path component"},
      {"SELECT * FROM T WHERE a[1 = 1", "malformed: Expected RIGHT_BRACKET"},
      {"SELECT * FROM T WHERE a = <<1", "malformed: Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
      {"SELECT * FROM T WHERE a = {'x':1", "malformed: Expected RIGHT_CURLY"},
      {"UPDATE T SET 1 = 2", "malformed: Expected identifier for simple path"},
      {"UPDATE T SET a.* = 2", "malformed: Invalid path dot component for simple path"},
      {"SELECT * FROM T ORDER a", "malformed: Expected BY"},
      {"SELECT * FROM T LIMIT 5", "malformed: Unexpected token after expression"},
  });
}

TEST(Statement, UnsupportedClausesAreRefusedLate) {
  Check(std::vector<StatementCase>{
      {"SELECT DISTINCT a FROM T", "late: Unsupported operation: Distinct"},
      {"SELECT * FROM 'T'", "late: Unsupported operation: FromSource"},
      {"SELECT * FROM T WHERE a", "late: Unsupported operation: Condition"},
      {"SELECT * FROM T WHERE a = b + 1", "late: Unsupported operation: +"},
      {"SELECT * FROM T WHERE a LIKE 'x%'", "late: Unsupported operation: LIKE"},
      {"SELECT * FROM T WHERE a = -b", "late: Unsupported operation: Operand"},
      {"SELECT * FROM T WHERE a IN b", "late: Unsupported operation: In"},
      {"SELECT * FROM T WHERE size(a)",
       "late: The function is not allowed to be used this way in an expression; function: size"},
      {"SELECT * FROM T WHERE a = 1 ORDER BY 1", "late: Unsupported operation: OrderBy"},
  });
}

TEST(Statement, OperatorsAreCounted) {
  const std::string most = "SELECT * FROM T WHERE a = 1" + Repeat(" OR a = 1", 149);
  EXPECT_EQ(ParseStatement(most).late_error, "");
  EXPECT_EQ(ParseStatement(most + " OR a = 1").late_error,
            "The expression contains too many operators; operator count: 301");
}

TEST(Statement, KnownTextsAreParsedOnceAndEvictedLater) {
  const std::string text = "SELECT * FROM cached WHERE pk = 'x'";
  const std::shared_ptr<const Statement> first = CachedStatement(text);
  const std::string same = text;
  EXPECT_EQ(CachedStatement(same), first);
  EXPECT_EQ(first.use_count(), 2);
  for (int i = 0; i < 20'000; ++i) CachedStatement("SELECT * FROM other" + std::to_string(i));
  EXPECT_EQ(first.use_count(), 1);
  EXPECT_EQ(Described(*first), "SELECT FROM cached WHERE (= pk \"x\")");
}

}  // namespace
}  // namespace hashrange::partiql::testing
