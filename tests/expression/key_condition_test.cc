#include <gtest/gtest.h>

#include <string>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

std::string PrintClauses(std::span<const KeyClause> clauses) {
  static constexpr std::string_view kOperators[] = {"=",  "<",       "<=",         ">",
                                                    ">=", "BETWEEN", "begins_with"};
  std::string text;
  for (const KeyClause& clause : clauses) {
    if (!text.empty()) text += "; ";
    text += std::string(clause.attribute) + " " +
            std::string(kOperators[static_cast<int>(clause.op)]) + " " + Print(clause.value);
    if (clause.op == KeyOperator::kBetween) text += " " + Print(clause.upper);
  }
  return text;
}

// Returns the clauses as text, or the error message.
std::string ReadClauses(std::string_view text) {
  Request request({{"#pk", "pk"}, {"#sk", "sort.key"}}, {{":s", S("s")},
                                                         {":t", S("t")},
                                                         {":n", N("1")},
                                                         {":b", B("b")},
                                                         {":bool", Bool(true)},
                                                         {":l", L({})}});
  Arena arena;
  Status structure;
  const auto clauses = BindKeyCondition(text, request.placeholders(), arena, &structure);
  if (!structure.ok()) return structure.error().message;
  return clauses.ok() ? PrintClauses(*clauses) : clauses.error().message;
}

struct KeyCase {
  std::string_view text;
  std::string_view expected;
};

void Check(std::span<const KeyCase> cases) {
  for (const KeyCase& test : cases) EXPECT_EQ(ReadClauses(test.text), test.expected) << test.text;
}

TEST(KeyCondition, ClausesAreInOrderOfTextWithTheAttributeFirst) {
  static constexpr KeyCase kCases[] = {
      {"pk = :s", "pk = \"s\""},
      {"(pk = :s)", "pk = \"s\""},
      {":s = #pk", "pk = \"s\""},
      {"sk < :n AND #pk = :s", "sk < 1; pk = \"s\""},
      {"pk = :s AND :n < sk", "pk = \"s\"; sk > 1"},
      {"pk = :s AND :n <= sk", "pk = \"s\"; sk >= 1"},
      {"pk = :s AND :n > sk", "pk = \"s\"; sk < 1"},
      {"pk = :s AND :n >= sk", "pk = \"s\"; sk <= 1"},
      {"pk = :s AND sk <= :n", "pk = \"s\"; sk <= 1"},
      {"pk = :s AND sk > :n", "pk = \"s\"; sk > 1"},
      {"pk = :s AND sk >= :n", "pk = \"s\"; sk >= 1"},
      {"(pk = :s) AND (sk BETWEEN :s AND :t)", "pk = \"s\"; sk BETWEEN \"s\" \"t\""},
      {"(pk = :s AND begins_with(#sk, :s))", "pk = \"s\"; sort.key begins_with \"s\""},
      {"a = :s AND (b = :s AND (c = :s)) AND d = :bool",
       "a = \"s\"; b = \"s\"; c = \"s\"; d = true"},
      {"pk = :l", "pk = []"},
  };
  Check(kCases);
}

TEST(KeyCondition, OperandsAreCheckedBeforeTheStructure) {
  static constexpr KeyCase kCases[] = {
      {"pk = :s AND begins_with(sk, :n)",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
       "or function: begins_with, operand type: N"},
      {"pk = :s AND sk < :bool",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
       "or function: <, operand type: BOOL"},
      {"pk = :s AND :bool >= sk",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
       "or function: >=, operand type: BOOL"},
      {"pk = :s AND sk BETWEEN :bool AND :bool",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
       "or function: BETWEEN, operand type: BOOL"},
      {"pk = :x",
       "Invalid KeyConditionExpression: An expression attribute value used in expression is not "
       "defined; attribute value: :x"},
      {"#x = :s",
       "Invalid KeyConditionExpression: An expression attribute name used in the document path is "
       "not defined; attribute name: #x"},
      {"begins_with(sk, :n) AND pk = :x",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator "
       "or function: begins_with, operand type: N"},
      {"pk = :x AND begins_with(sk, :n)",
       "Invalid KeyConditionExpression: An expression attribute value used in expression is not "
       "defined; attribute value: :x"},
      {"pk = :s OR sk = :x",
       "Invalid KeyConditionExpression: An expression attribute value used in expression is not "
       "defined; attribute value: :x"},
      {"((pk = :s))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"},
      {"pk = :s AND name = :s",
       "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: "
       "name"},
      {"pk = :s AND sk BETWEEN :t AND :s",
       "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
       "than or equal to lower bound; lower bound operand: AttributeValue: {S:t}, upper bound "
       "operand: AttributeValue: {S:s}"},
  };
  Check(kCases);
}

TEST(KeyCondition, OperandsOfAClauseAreCheckedFromLeftToRight) {
  constexpr std::string_view kNestedCall =
      "KeyConditionExpressions cannot contain nested operations";
  constexpr std::string_view kNestedPath =
      "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
      "attributes";
  constexpr std::string_view kSeveral =
      "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
  constexpr std::string_view kBetween =
      "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute "
      "as "
      "its first operand";
  constexpr std::string_view kPrefix =
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
      "attribute as its first operand";
  static constexpr KeyCase kCases[] = {
      {"pk.a = sk", kNestedPath},
      {"pk.a = size(sk)", kNestedPath},
      {"pk[0] BETWEEN sk AND size(a)", kNestedPath},
      {"begins_with(pk.a, sk)", kNestedPath},
      {":s < pk.a", kNestedPath},
      {"pk = sk.a", kSeveral},
      {"pk BETWEEN sk[1] AND d", kSeveral},
      {"pk BETWEEN sk AND size(a)", kSeveral},
      {"pk BETWEEN :s AND sk.a", kSeveral},
      {":s BETWEEN pk.a AND sk", kBetween},
      {":s BETWEEN size(pk) AND size(sk)", kBetween},
      {"begins_with(:s, sk.a)", kPrefix},
      {"size(pk) BETWEEN :n AND sk.a", kNestedCall},
      {"pk > size(sk.a)", kNestedCall},
      {"pk BETWEEN size(a) AND b.c", kNestedCall},
      {"size(pk) > sk AND a.b = c", kNestedCall},
      // A nested path is reported before an attribute that two clauses name.
      {"pk = :s AND pk.a = :s", kNestedPath},
  };
  Check(kCases);
}

TEST(KeyCondition, StructureIsRestricted) {
  constexpr std::string_view kNested = "KeyConditionExpressions cannot contain nested operations";
  static constexpr KeyCase kCases[] = {
      {"pk = :s OR sk = :s", "Invalid operator used in KeyConditionExpression: OR"},
      {"pk = :s AND (sk = :s OR sk = :t)", "Invalid operator used in KeyConditionExpression: OR"},
      {"NOT pk = :s", "Invalid operator used in KeyConditionExpression: NOT"},
      {"pk IN (:s)", "Invalid operator used in KeyConditionExpression: IN"},
      {"pk <> :s", "Invalid operator used in KeyConditionExpression: <>"},
      {"attribute_exists(pk)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"attribute_not_exists(pk)",
       "Invalid operator used in KeyConditionExpression: attribute_not_exists"},
      {"pk = :s AND contains(sk, :s)", "Invalid operator used in KeyConditionExpression: contains"},
      {"size(pk) = :n", kNested},
      {"pk = size(:s)", kNested},
      {"pk = :s AND :s BETWEEN sk AND :t",
       "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute "
       "as its first operand"},
      {"pk = :s AND begins_with(:s, sk)",
       "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
       "attribute as its first operand"},
      {"pk = sk",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition"},
      {"pk = :s AND begins_with(sk, pk)",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition"},
      {"pk = :s AND sk BETWEEN :s AND pk",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
       "condition"},
      {"pk.a = :s",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
       "attributes"},
      {":s = pk[0]",
       "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested "
       "attributes"},
      {":s = :t", "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"pk = :s AND #pk = :t",
       "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
       "per key"},
      // The first problem in the text wins.
      {"pk = :s AND pk > :s AND sk <> :s",
       "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
       "per key"},
      {"sk <> :s AND pk = :s AND pk > :s", "Invalid operator used in KeyConditionExpression: <>"},
  };
  Check(kCases);
  Request request({}, {{":t", S("S")}});
  EXPECT_EQ(BindMessage(ExpressionKind::kKeyCondition, "attribute_type(pk, :t)", request),
            "Invalid operator used in KeyConditionExpression: attribute_type");
}

}  // namespace
}  // namespace hashrange::testing
