#include <gtest/gtest.h>

#include "expression/error_matrix.h"
#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

void Check(std::span<const ErrorCase> cases) {
  CheckErrors(ExpressionKind::kCondition, cases,
              {{"#a", "a"}, {"#c", "a"}, {"#d", "data"}, {"#dotted", "x.y"}});
}

constexpr std::string_view kParentheses = "The expression has redundant parentheses;";
constexpr std::string_view kPlace =
    "The function is not allowed to be used this way in an expression; function: ";
constexpr std::string_view kDistinct =
    "The first operand must be distinct from the remaining operands for this operator or "
    "function; operator: ";
constexpr std::string_view kPath =
    "Operator or function requires a document path; operator or function: ";
constexpr std::string_view kSameType =
    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
    "operand: AttributeValue: ";
constexpr std::string_view kReversed =
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
    "bound operand: AttributeValue: ";

TEST(ConditionErrors, RedundantParentheses) {
  static constexpr ErrorCase kCases[] = {
      {"((a = :s))", kParentheses},
      {"((a)) = :s", kParentheses},
      {"((a)).b = :s", kParentheses},
      {"a = ((:s))", kParentheses},
      {"size((((a)))) = :n", kParentheses},
      {"a IN ((:s), ((:t)))", kParentheses},
      {"NOT ((a = :s OR a = :t))", kParentheses},
      {"((a = :s) OR (a = :t))", "ok"},
  };
  Check(kCases);
}

TEST(ConditionErrors, FunctionNamesAndPlaces) {
  static constexpr ErrorCase kCases[] = {
      {"foo(a)", "Invalid function name; function: foo"},
      {"Attribute_Exists(a)", "Invalid function name; function: Attribute_Exists"},
      {"SIZE(a) = :n", "Invalid function name; function: SIZE"},
      {"if_not_exists(a, :s) = :s",
       "The function is not allowed in a condition expression; function: if_not_exists"},
      {"size(a)", kPlace, "size"},
      {"NOT size(a)", kPlace, "size"},
      {"(size(a)) OR a = :s", kPlace, "size"},
      {"attribute_exists(a) = :bool", kPlace, "attribute_exists"},
      {"a = contains(b, :s)", kPlace, "contains"},
      {"a IN (:s, begins_with(a, :s))", kPlace, "begins_with"},
      {"contains(a, attribute_exists(b))", kPlace, "attribute_exists"},
  };
  Check(kCases);
}

TEST(ConditionErrors, ReservedAndUndefinedNames) {
  static constexpr ErrorCase kCases[] = {
      {"data = :s", kReserved, "data"},
      {"a.Name = :s", kReserved, "Name"},
      {"a[0].status = :s", kReserved, "status"},
      {"size = :s", kReserved, "size"},
      {"#a.#dotted = :s", "ok"},
      {"#x = :s", kNoName, "#x"},
      {"a.#x = :s", kNoName, "#x"},
      {"a = :x", kNoValue, ":x"},
      {":x = :y", kNoValue, ":x"},
  };
  Check(kCases);
}

TEST(ConditionErrors, OperandCounts) {
  static constexpr ErrorCase kCases[] = {
      {"attribute_exists(a, b)", kCount, "attribute_exists, number of operands: 2"},
      {"attribute_not_exists(a, b, c)", kCount, "attribute_not_exists, number of operands: 3"},
      {"attribute_type(a)", kCount, "attribute_type, number of operands: 1"},
      {"begins_with(a)", kCount, "begins_with, number of operands: 1"},
      {"contains(a, b, c)", kCount, "contains, number of operands: 3"},
      {"size(a, b) = :n", kCount, "size, number of operands: 2"},
  };
  Check(kCases);
}

TEST(ConditionErrors, FirstOperandMustBeDistinct) {
  static constexpr ErrorCase kCases[] = {
      {"a = a", kDistinct, "=, first operand: [a]"},
      {"a <> a", kDistinct, "<>, first operand: [a]"},
      {"a >= a", kDistinct, ">=, first operand: [a]"},
      {"contains(a, a)", kDistinct, "contains, first operand: [a]"},
      {"contains(#a, #c)", kDistinct, "contains, first operand: [a]"},
      {"begins_with(#d, #d)", kDistinct, "begins_with, first operand: [data]"},
      {"a.b[1].c = a.b[1].c", kDistinct, "=, first operand: [a, b, [1], c]"},
      {"(a) = (a)", kDistinct, "=, first operand: [a]"},
      {"a BETWEEN b AND a", kDistinct, "BETWEEN, first operand: [a]"},
      {"a IN (:s, #a)", kDistinct, "IN, first operand: [a]"},
      {"a BETWEEN b AND b", "ok"},
      {"a IN (b, b)", "ok"},
      {"a IN (:s, size(a))", "ok"},
      {"a.b = a.c", "ok"},
      {"a[0] = a[1]", "ok"},
      {"size(a) = size(a)", "ok"},
      {":s = :s", "ok"},
  };
  Check(kCases);
}

TEST(ConditionErrors, OperandTypes) {
  static constexpr ErrorCase kCases[] = {
      {"attribute_exists(:s)", kPath, "attribute_exists"},
      {"attribute_not_exists(:s)", kPath, "attribute_not_exists"},
      {"attribute_exists(size(a))", kPath, "attribute_exists"},
      {"begins_with(a, :n)", kType, "begins_with, operand type: N"},
      {"begins_with(:ss, a)", kType, "begins_with, operand type: SS"},
      {"begins_with(a, size(b))", kType, "begins_with, operand type: N"},
      {"attribute_type(a, :n)", kType, "attribute_type, operand type: N"},
      {"attribute_type(a, b)", kType,
       "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"attribute_type(a, size(a))", kType, "attribute_type, operand type: N"},
      {"attribute_type(a, size(:s))", kType, "attribute_type, operand type: N"},
      {"attribute_type(a, size(:n))", kType, "size, operand type: N"},
      {"size(:n) = :n", kType, "size, operand type: N"},
      {"size(:bool) = :n", kType, "size, operand type: BOOL"},
      {"size(:null) = :n", kType, "size, operand type: NULL"},
      {"size(size(a)) = :n", kType, "size, operand type: N"},
      {"size(:map) = :n", "ok"},
      {"a < :bool", kType, "<, operand type: BOOL"},
      {":ss <= a", kType, "<=, operand type: SS"},
      {"a > :null", kType, ">, operand type: NULL"},
      {"a >= :l", kType, ">=, operand type: L"},
      {"a < size(b)", "ok"},
      {"a BETWEEN :bool AND :map", kType, "BETWEEN, operand type: BOOL"},
      {"a BETWEEN :s AND :map", kType, "BETWEEN, operand type: M"},
      {":ns BETWEEN a AND b", kType, "BETWEEN, operand type: NS"},
      {"a = :bool", "ok"},
      {"a <> :map", "ok"},
      {"a IN (:bool, :map, :bs)", "ok"},
      {"contains(a, :null)", "ok"},
  };
  Check(kCases);
}

TEST(ConditionErrors, BoundsOfBetween) {
  static constexpr ErrorCase kCases[] = {
      {"a BETWEEN :n AND :s", kSameType, "{N:1}, upper bound operand: AttributeValue: {S:s}"},
      {"a BETWEEN :s AND :b", kSameType, "{S:s}, upper bound operand: AttributeValue: {B:/w==}"},
      {"a BETWEEN :t AND :s", kReversed, "{S:t}, upper bound operand: AttributeValue: {S:s}"},
      {"a BETWEEN :m AND :n", kReversed, "{N:2.5}, upper bound operand: AttributeValue: {N:1}"},
      {"a BETWEEN :b AND :z", kReversed, "{B:/w==}, upper bound operand: AttributeValue: {B:AQ==}"},
      {"a BETWEEN :n AND :n", "ok"},
      {"a BETWEEN :n AND b", "ok"},
      {"a BETWEEN :s AND size(b)", "ok"},
  };
  Check(kCases);
}

TEST(ConditionErrors, TypeNames) {
  static constexpr ErrorCase kCases[] = {
      {"attribute_type(a, :s)",
       "Invalid attribute type name found; type: s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
  };
  Check(kCases);
  for (const std::string_view tag : kTypeTags) {
    Request request({}, {{":t", S(tag)}});
    EXPECT_EQ(BindMessage(ExpressionKind::kFilter, "attribute_type(a, :t)", request), "ok");
  }
}

// Errors of rows 1 to 4 of the table, anywhere in the expression, win over all others. The other
// rows are checked one test after the other, and within a test in the order of the rows.
TEST(ConditionErrors, Precedence) {
  static constexpr ErrorCase kCases[] = {
      {"size(a) AND foo(b) AND ((c = :x)) AND", "Syntax error; token: \"<EOF>\", near: \"AND\""},
      {"size(a) AND foo(data) AND ((c = :x))", kParentheses},
      {"size(a) AND foo(data)", "Invalid function name; function: foo"},
      {"data = :x AND size(a)", kPlace, "size"},
      {"a = :x AND data = :s", kReserved, "data"},
      {"data = :s AND name = :s", kReserved, "data"},
      {"begins_with(a, :n) AND b = :x", kType, "begins_with, operand type: N"},
      {"b = :x AND begins_with(a, :n)", kNoValue, ":x"},
      {"begins_with(:n, :x)", kNoValue, ":x"},
      {"contains(#x, :x, :y)", kNoName, "#x"},
      {"contains(:x, #x, :y)", kNoValue, ":x"},
      {"contains(a, size(:n), b)", kCount, "contains, number of operands: 3"},
      {"a BETWEEN :t AND size(:n)", kType, "size, operand type: N"},
  };
  Check(kCases);
}

TEST(ConditionErrors, MessagesNameTheFilterExpression) {
  Request request({}, {});
  EXPECT_EQ(BindMessage(ExpressionKind::kFilter, "a = :x", request),
            "Invalid FilterExpression: An expression attribute value used in expression is not "
            "defined; attribute value: :x");
}

}  // namespace
}  // namespace hashrange::testing
