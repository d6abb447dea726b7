// The largest and deepest statements that 8,192 characters allow: each has an answer at once, and
// needs no deep stack.
#include <gtest/gtest.h>

#include <chrono>

#include "expression/partiql/key_plan.h"
#include "expression/partiql/statement_fixture.h"
#include "support/small_stack.h"

namespace hashrange::partiql::testing {
namespace {

struct Case {
  std::string text;
  std::string expected;  // the beginning of the lowered statement as text
};

TEST(HostileInput, DeepStatementsNeedNoDeepStack) {
  const std::string select = "SELECT * FROM T WHERE ";
  const std::string update = "UPDATE T SET a = ";
  constexpr std::string_view kTooMany =
      "late: The expression contains too many operators; operator count: ";
  const Case cases[] = {
      {Repeat("(", 8192), "malformed: Expected data manipulation"},
      {select + Repeat("(", 8170), "malformed: Unexpected term"},
      {select + Repeat("(", 4000) + "pk = 'x'" + Repeat(")", 4000),
       "SELECT FROM T WHERE (= pk \"x\")"},
      {"SELECT " + Repeat("(", 4000) + "a" + Repeat(")", 4000) + " FROM T", "SELECT a AS a FROM T"},
      {select + Repeat("[", 8000), "malformed: Unexpected term"},
      {select + "a = " + Repeat("[", 4000) + Repeat("]", 4000),
       "error: Nesting Levels have exceeded supported limits under root[0][0]"},
      {select + Repeat("NOT ", 2040) + "a = 1", std::string(kTooMany) + "2041"},
      {select + Repeat("- ", 4000) + "1 = a", "SELECT FROM T WHERE (= 1 a)"},
      {select + Repeat("-(", 2700) + "a" + Repeat(")", 2700) + "= 1",
       "late: Unsupported operation: "},
      {select + Repeat("f(", 2700) + "a" + Repeat(")", 2700), "late: Unrecognized function: f at "},
      {select + Repeat("size(", 1300) + "a" + Repeat(")", 1300) + " = 1",
       std::string(kTooMany) + "1301"},
      {select + Repeat("(", 1500) + "a = 1" + Repeat(")=1", 1500), std::string(kTooMany) + "1501"},
      {select + "a = 1" + Repeat(" AND a = 1", 800), std::string(kTooMany) + "1601"},
      {select + "a" + Repeat("[0]", 2700) + " = 1", "SELECT FROM T WHERE (= a[0][0]"},
      {select + "a" + Repeat(".a", 4000) + " = 1", "SELECT FROM T WHERE (= a.a.a"},
      {select + "a BETWEEN" + Repeat(" b BETWEEN", 800), "malformed: "},
      {select + "a IN (" + Repeat("1,", 4000) + "1)",
       "late: The IN operator is provided with too many operands; number of operands: 4001"},
      {update + Repeat("list_append(", 500) + "a" + Repeat(", b)", 500),
       std::string(kTooMany) + "500"},
      {update + "1" + Repeat(" + 1", 2000), "late: Unsupported operation: +"},
      {"INSERT INTO T VALUE " + Repeat("{'a':", 1300) + "1" + Repeat("}", 1300),
       "error: Nesting Levels have exceeded supported limits under root.a.a"},
      {"SELECT a" + Repeat(",a", 4000) + " FROM T", "SELECT a AS "},
  };
  for (const Case& test : cases) {
    ASSERT_LE(test.text.size(), 8192u) << test.text.substr(0, 60);
    std::string lowered;
    RunOnSmallStack([&] { lowered = Parsed(test.text); });
    EXPECT_EQ(lowered.substr(0, test.expected.size()), test.expected) << test.text.substr(0, 60);
  }
}

// A statement that can be bound is evaluated on a small stack as well.
TEST(HostileInput, NestedComparisonsAreEvaluatedOnSmallStacks) {
  const std::string where = Repeat("(", 298) + "a = 1" + Repeat(") = true", 298);
  const TestItem item({{"a", N("1")}});
  RunOnSmallStack([&] {
    Arena arena;
    const auto bound = BindStatement(CachedStatement("SELECT * FROM T WHERE " + where), {}, arena);
    ASSERT_TRUE(bound.ok()) << bound.error().message;
    EXPECT_TRUE(
        LinkCondition(bound->statement->where, bound->operands, arena).Matches(item.view()));
    EXPECT_FALSE(LinkCondition(bound->statement->where, bound->operands, arena).Matches(NoItem()));
  });
}

// The time limits are far above the usual time; a quadratic search takes far longer.
TEST(HostileInput, LongStatementsAreReadAtOnce) {
  const KeySchema key{{{"pk", AttributeType::kS}}, {{"sk", AttributeType::kS}}};
  std::string many = "SELECT a0";
  for (int i = 1; many.size() < 8100; ++i) many += ",a" + std::to_string(i);
  many += " FROM T";
  std::string keyed = "SELECT * FROM T WHERE pk = 'a'";
  for (int i = 0; i < 140; ++i) keyed += " AND (sk = 'b' OR pk = 'c')";
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(ParseStatement(many).error, "");
    Arena arena;
    const auto bound = BindStatement(std::make_shared<Statement>(ParseStatement(keyed)), {}, arena);
    if (bound.ok()) (void)PlanRead(*bound, key, arena);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

}  // namespace
}  // namespace hashrange::partiql::testing
