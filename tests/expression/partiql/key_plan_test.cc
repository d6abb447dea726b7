#include "expression/partiql/key_plan.h"

#include <gtest/gtest.h>

#include "expression/expression_text.h"
#include "expression/partiql/statement_fixture.h"

namespace hashrange::partiql::testing {
namespace {

const KeySchema kHashAndRange{{{"pk", AttributeType::kS}}, {{"sk", AttributeType::kN}}};
const KeySchema kHash{{{"pk", AttributeType::kS}}, {}};

std::string Print(const KeyBranch& branch) {
  std::string text;
  for (const KeyClause& clause : branch.clauses) {
    text += text.empty() ? "" : " ";
    text += std::string(clause.attribute) + std::string(KeyOperatorText(clause.op)) +
            hashrange::testing::Print(clause.value);
    if (clause.op == KeyOperator::kBetween) text += ".." + hashrange::testing::Print(clause.upper);
  }
  if (!branch.filters.empty()) text += " +" + std::to_string(branch.filters.size());
  if (branch.negates_range) text += " negates";
  if (branch.is_empty) text += " empty";
  return text;
}

class KeyPlanTest : public ::testing::Test {
 protected:
  BoundStatement Bind(std::string_view where) {
    auto bound =
        BindStatement(CachedStatement("SELECT * FROM T WHERE " + std::string(where)), {}, arena_);
    EXPECT_TRUE(bound.ok()) << where;
    return std::move(bound).value();
  }

  // Returns the branches as text, "scan", or the error.
  std::string Plan(std::string_view where, const KeySchema& key = kHashAndRange) {
    const BoundStatement bound = Bind(where);
    const auto plan = PlanRead(bound, key, arena_);
    if (!plan.ok()) return plan.error().message;
    if (!plan->is_keyed) return "scan";
    if (plan->branches.empty()) return "nothing";
    std::string text;
    for (const KeyBranch& branch : plan->branches) {
      text += (text.empty() ? "" : " | ") + Print(branch);
    }
    if (plan->IsKeyOnly(key)) return text + " one";
    return plan->IsOneItem(key) ? text + " one, filtered" : text;
  }

  std::string Match(std::string_view where, const KeySchema& key = kHashAndRange) {
    const BoundStatement bound = Bind(where);
    const KeyMatch match = MatchKey(bound, key, arena_);
    std::string text = hashrange::testing::Print(match.key);
    if (match.is_whole) text += " whole";
    if (match.repeated) text += " twice " + match.repeated->name;
    if (match.has_more) text += " more";
    return text;
  }

  Arena arena_;
};

TEST_F(KeyPlanTest, KeyConditionsAreFoundAnywhereInWhere) {
  EXPECT_EQ(Plan("pk = 'a'"), "pk=\"a\"");
  EXPECT_EQ(Plan("pk = 'a'", kHash), "pk=\"a\" one");
  EXPECT_EQ(Plan("n = 1 AND 'a' = pk AND 5 <= sk"), "pk=\"a\" sk>=5 +1");
  EXPECT_EQ(Plan("(sk BETWEEN 1 AND 2 AND (n = 1)) AND pk = 'a'"), "pk=\"a\" skBETWEEN1..2 +1");
  EXPECT_EQ(Plan("pk = 'a' AND sk = 1"), "pk=\"a\" sk=1 one");
  EXPECT_EQ(Plan("pk = 'a' AND sk = 1 AND n = 1"), "pk=\"a\" sk=1 +1 one, filtered");
  EXPECT_EQ(Plan("pk = 'a' AND pk = 'a' AND sk = 1 AND sk = 1.0"), "pk=\"a\" sk=1 one");
  EXPECT_EQ(Plan("pk = 'a' AND pk = 'b'"), "pk=\"a\" empty");
  EXPECT_EQ(Plan("pk = 'a' AND sk = 1 AND sk > 0"), "pk=\"a\" sk=1 sk>0");
}

TEST_F(KeyPlanTest, OtherConditionsOnKeysAreFilters) {
  EXPECT_EQ(Plan("pk = 'a' AND sk = n"), "pk=\"a\" +1");
  EXPECT_EQ(Plan("pk = 'a' AND attribute_exists(sk)"), "pk=\"a\" +1");
  EXPECT_EQ(Plan("pk = 'a' AND sk <> 1"), "pk=\"a\" +1 negates");
  EXPECT_EQ(Plan("pk = 'a' AND NOT sk = 1"), "pk=\"a\" +1 negates");
  EXPECT_EQ(Plan("pk = 'a' AND NOT n = 1"), "pk=\"a\" +1");
  EXPECT_EQ(Plan("pk = 'a' AND pk > '0'"), "pk=\"a\" +1");
  EXPECT_EQ(Plan("pk = 'a' AND (sk = 1) = true"), "pk=\"a\" +1");
}

TEST_F(KeyPlanTest, WithoutTheHashAttributeItIsAScan) {
  for (const char* where : {"sk = 1", "pk > 'a'", "pk = 'a' OR n = 1", "NOT pk = 'a'", "pk.x = 'a'",
                            "pk = n", "(pk = 'a') = true", "pk = 'a' OR sk = 1", "pk IN [n]",
                            "sk IN []", "n IN []", "NOT pk IN []"}) {
    EXPECT_EQ(Plan(where), "scan") << where;
  }
  EXPECT_EQ(Plan("pk > 1"), "scan");
}

TEST_F(KeyPlanTest, OrAndInOnKeysMakeBranches) {
  EXPECT_EQ(Plan("pk IN ['a', 'b'] AND sk = 1"), "pk=\"a\" sk=1 | pk=\"b\" sk=1");
  EXPECT_EQ(Plan("pk IN ['a']", kHash), "pk=\"a\" one");
  EXPECT_EQ(Plan("pk IN []"), "nothing");
  EXPECT_EQ(Plan("pk = 'a' AND sk IN []"), "nothing");
  EXPECT_EQ(Plan("pk = 'a' OR pk IN []"), "pk=\"a\"");
  EXPECT_EQ(Plan("pk = 'a' AND n IN []"), "pk=\"a\" +1");
  EXPECT_EQ(Plan("pk = 'a' AND (sk < 1 OR sk > 2) AND (n = 1 OR m = 2)"),
            "pk=\"a\" sk<1 +1 | pk=\"a\" sk>2 +1");
  EXPECT_EQ(Plan("pk = 'a' AND (sk = 1 OR n = 2)"), "pk=\"a\" sk=1 | pk=\"a\" +1");
  EXPECT_EQ(Plan("pk = 'a' AND n = 1 OR pk = 'b' AND (pk = 'c' OR sk = 1)"),
            "pk=\"a\" +1 | pk=\"b\" empty | pk=\"b\" sk=1");
  EXPECT_EQ(Plan("pk = 'a' AND NOT (sk = 1 OR sk = 2)"), "pk=\"a\" +1 negates");
}

TEST_F(KeyPlanTest, ValuesHaveTheKeysTypes) {
  const std::string_view pk =
      "Key attribute's data type should match its data type in table's schema: Key pk";
  const std::string_view sk =
      "Key attribute's data type should match its data type in table's schema: Key sk";
  EXPECT_EQ(Plan("pk = 1"), pk);
  EXPECT_EQ(Plan("pk = 1 OR pk = 'a'"), pk);
  EXPECT_EQ(Plan("pk = 'a' AND sk IN [1, '2']"), sk);
  EXPECT_EQ(Plan("pk = 'a' AND sk > 'x'"), sk);
  EXPECT_EQ(Plan("pk = 'a' AND sk BETWEEN 1 AND 1 AND begins_with(sk, 'x')"), sk);
}

TEST_F(KeyPlanTest, BranchesAreLimited) {
  std::string in = "pk IN ['v0'";
  for (int i = 1; i < 50; ++i) in += ",'v" + std::to_string(i) + "'";
  EXPECT_EQ(Bind(in + "]").statement->late_error, "");
  EXPECT_NE(Plan(in + "]").find("pk=\"v49\""), std::string::npos);
  const std::string_view too_many = "Too many decomposed read operations for a given query.";
  EXPECT_EQ(Plan(in + ",'v50']"), too_many);
  EXPECT_EQ(Plan(in + "] AND sk IN [1, 2]"), too_many);
  EXPECT_EQ(Plan(in + ",'v50'] OR n = 1"), "scan");
  std::string product = "pk = 'a'";
  for (int i = 0; i < 60; ++i) product += " AND (sk = 1 OR n = 2)";
  EXPECT_EQ(Plan(product), too_many);
}

TEST_F(KeyPlanTest, WritesNameTheirItemByEqualities) {
  EXPECT_EQ(Match("pk = 'a' AND sk = 1"), "{pk: \"a\", sk: 1} whole");
  EXPECT_EQ(Match("1 = sk AND (n = 2 AND pk = 'a')"), "{pk: \"a\", sk: 1} whole more");
  EXPECT_EQ(Match("pk = 'a' AND sk = 1 AND pk = 'a'"), "{pk: \"a\", sk: 1} whole");
  EXPECT_EQ(Match("pk = 'a' AND sk = 1 AND pk = 'b'"), "{pk: \"a\", sk: 1} whole twice pk more");
  EXPECT_EQ(Match("pk = 'a'"), "{pk: \"a\"}");
  EXPECT_EQ(Match("pk IN ['a'] AND sk = 1"), "{sk: 1} more");
  EXPECT_EQ(Match("pk = 'a' OR sk = 1"), "{} more");
  EXPECT_EQ(Match("pk = 1 AND sk = 'x'"), "{pk: 1, sk: \"x\"} whole");
}

// When WHERE names only the key, the rest of WHERE holds even for an item that does not exist.
TEST_F(KeyPlanTest, TheEqualitiesOfTheKeyAreTrueOfEveryItem) {
  const auto rest_holds = [&](std::string_view where) {
    const BoundStatement bound = Bind(where);
    const KeyMatch match = MatchKey(bound, kHashAndRange, arena_);
    return LinkCondition(bound.statement->where, match.rest, arena_).Matches(NoItem());
  };
  EXPECT_TRUE(rest_holds("pk = 'a' AND sk = 1"));
  EXPECT_TRUE(rest_holds("pk = 'a' AND 1 = sk AND n IS MISSING"));
  EXPECT_FALSE(rest_holds("pk = 'a' AND sk = 1 AND n = 1"));
  EXPECT_FALSE(rest_holds("pk = 'a' AND sk = 1 AND pk = 'b'"));
}

TEST_F(KeyPlanTest, TheRestOfAMatchedKeyDoesNotMentionTheKey) {
  const auto text_of_rest = [&](std::string_view where) {
    const BoundStatement bound = Bind(where);
    const KeyMatch match = MatchKey(bound, kHashAndRange, arena_);
    const Condition rest = LinkCondition(bound.statement->where, match.rest, arena_);
    std::string text;
    AppendConditionText(rest, &text);
    std::vector<std::string_view> names;
    ListConditionAttributes(rest, &names);
    for (const std::string_view name : names) text.append(" | ").append(name);
    return text;
  };
  EXPECT_EQ(text_of_rest("pk = 'a' AND sk = 1"), "");
  EXPECT_EQ(text_of_rest("pk = 'a' AND n = 1 AND 1 = sk"), "n = ? | n");
  EXPECT_EQ(text_of_rest("n = 1 AND pk = 'a' AND (m = 1 OR n = 2) AND sk = 1"),
            "n = ? AND (m = ? OR n = ?) | m | n");
  EXPECT_EQ(text_of_rest("pk = 'a' AND sk = 1 AND pk = 'b'"), "pk = ? | pk");
  EXPECT_EQ(text_of_rest("pk = 'a' AND sk IN [1]"), "sk IN (?) | sk");
}

TEST_F(KeyPlanTest, AttributesAreThoseOfThePathsBelowANode) {
  const BoundStatement bound = Bind("pk = 'a' AND (b.c = 1 OR size(d) > a[0])");
  const auto plan = PlanRead(bound, kHashAndRange, arena_);
  ASSERT_TRUE(plan.ok());
  const auto names = AttributesOf(bound, plan->branches[0].filters[0], arena_);
  EXPECT_EQ(std::vector<std::string>(names.begin(), names.end()),
            (std::vector<std::string>{"b", "d", "a"}));
}

}  // namespace
}  // namespace hashrange::partiql::testing
