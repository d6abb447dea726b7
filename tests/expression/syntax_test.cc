#include <gtest/gtest.h>

#include <string>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

constexpr ExpressionKind kUpdate = ExpressionKind::kUpdate;
constexpr ExpressionKind kCondition = ExpressionKind::kCondition;
constexpr ExpressionKind kKeyCondition = ExpressionKind::kKeyCondition;
constexpr ExpressionKind kFilter = ExpressionKind::kFilter;
constexpr ExpressionKind kProjection = ExpressionKind::kProjection;

std::string Message(ExpressionKind kind, std::string_view text) {
  Request request(
      {{"#a", "a"}, {"#b", "b"}, {"#_a", "_a"}},
      {{":v", N("1")}, {":w", N("2")}, {":l", L({})}, {":s", SS({"x"})}, {":_v", N("3")}});
  return BindMessage(kind, text, request);
}

struct SyntaxCase {
  ExpressionKind kind;
  std::string_view text;
  std::string_view token;
  std::string_view near;
};

TEST(Syntax, ErrorsNameTheTokenAndItsNeighbours) {
  static constexpr SyntaxCase kCases[] = {
      {kUpdate, "INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"},
      {kProjection, "!!! INVALID !!!", "!", "!!"},
      {kCondition, "a = = b", "=", "= = b"},
      {kCondition, "attribute_not_exists(", "<EOF>", "("},
      {kUpdate, "ADD hits : incr", ":", "hits : incr"},
      {kUpdate, "SET path = VALUE 1", "1", "VALUE 1"},
      {kProjection, "a b", "b", "a b"},
      {kKeyCondition, "a = :v AND b = ", "<EOF>", "="},
      {kKeyCondition, "pk = :v AND begins_with(sk, :type", "<EOF>", ":type"},
      // The window keeps the blanks of the text.
      {kCondition, "a  =\t= \n b", "=", "=\t= \n b"},
      {kProjection, "a, #,", "#", ", #,"},
      {kProjection, "a,", "<EOF>", ","},
      {kProjection, ",a", ",", ",a"},
      {kProjection, "a.", "<EOF>", "."},
      {kProjection, "a[", "<EOF>", "["},
      {kProjection, "a[b]", "b", "[b]"},
      {kProjection, "a[-1]", "-", "[-1"},
      {kProjection, "a[1", "<EOF>", "1"},
      {kProjection, "a[:v]", ":v", "[:v]"},
      {kProjection, "(a)", "(", "(a"},
      {kProjection, "a = :v", "=", "a = :v"},
      {kProjection, "\xC3\xA9t\xC3\xA9", "\xC3\xA9", "\xC3\xA9t"},
      {kProjection, ":v", ":v", ":v"},
      {kProjection, "1a", "1", "1a"},
      {kCondition, "a", "<EOF>", "a"},
      {kCondition, "(a)", "<EOF>", ")"},
      {kCondition, "a AND b = :v", "AND", "a AND b"},
      {kCondition, "a = b = c", "=", "b = c"},
      {kCondition, "(a = :v) = :w", "=", ") = :w"},
      {kCondition, "a = (b = c)", "=", "b = c"},
      {kCondition, "a = NOT b", "NOT", "= NOT b"},
      {kCondition, "a = :v AND", "<EOF>", "AND"},
      {kCondition, "a = :v OR OR b = :v", "OR", "OR OR b"},
      {kCondition, "AND a = :v", "AND", "AND a"},
      {kCondition, "NOT", "<EOF>", "NOT"},
      {kCondition, "NOT a", "<EOF>", "a"},
      {kCondition, "a NOT IN (:v)", "NOT", "a NOT IN"},
      {kCondition, "a IN :v", ":v", "IN :v"},
      {kCondition, "a IN ()", ")", "()"},
      {kCondition, "a IN (:v", "<EOF>", ":v"},
      {kCondition, "a IN (:v b)", "b", ":v b)"},
      {kCondition, "a BETWEEN :v", "<EOF>", ":v"},
      {kCondition, "a BETWEEN :v OR :w", "OR", ":v OR :w"},
      {kCondition, "a BETWEEN :v AND :w AND", "<EOF>", "AND"},
      {kCondition, "(a = :v", "<EOF>", ":v"},
      {kCondition, "a = :v)", ")", ":v)"},
      {kCondition, ")", ")", ")"},
      {kCondition, "()", ")", "()"},
      {kCondition, "size()", ")", "()"},
      {kCondition, "contains(a, )", ")", ", )"},
      {kCondition, "contains(a b)", "b", "a b)"},
      {kCondition, "contains(a = b)", "=", "a = b"},
      {kCondition, "attribute_exists(a) attribute_exists(b)", "attribute_exists",
       ") attribute_exists("},
      {kCondition, ":v.b = :w", ".", ":v.b"},
      {kCondition, "(:v).b = :w", ".", ").b"},
      {kCondition, "size(a).b = :w", ".", ").b"},
      {kCondition, "a.and = :v", "and", ".and ="},
      {kCondition, "a == :v", "=", "== :v"},
      {kCondition, "a != :v", "!", "a !="},
      {kCondition, "a = 5", "5", "= 5"},
      {kCondition, "a = 'x'", "'", "= 'x"},
      {kCondition, "a + b = :v", "+", "a + b"},
      {kFilter, "a = = b", "=", "= = b"},
      {kUpdate, "SET", "<EOF>", "SET"},
      {kUpdate, "SET a", "<EOF>", "a"},
      {kUpdate, "SET a :v", ":v", "a :v"},
      {kUpdate, "SET a = ", "<EOF>", "="},
      {kUpdate, "SET a = :v,", "<EOF>", ","},
      {kUpdate, "SET a = :v b = :w", "b", ":v b ="},
      {kUpdate, "SET a = b + c + d", "+", "c + d"},
      {kUpdate, "SET a = (b + c) + d", "+", ") + d"},
      {kUpdate, "SET a = b + (c + d)", "+", "c + d"},
      {kUpdate, "SET a = b * c", "*", "b * c"},
      {kUpdate, "SET a = b / c", "/", "b / c"},
      {kUpdate, "SET a = b = c", "=", "b = c"},
      {kUpdate, "SET a = (b", "<EOF>", "b"},
      {kUpdate, "SET a = (b).c", ".", ").c"},
      {kUpdate, "SET :v = :w", ":v", "SET :v ="},
      {kUpdate, "SET a = list_append(:l :l)", ":l", ":l :l)"},
      {kUpdate, "SET a = if_not_exists(b + c, :v)", "+", "b + c"},
      {kUpdate, "SET a = :v, REMOVE b", "REMOVE", ", REMOVE b"},
      {kUpdate, "REMOVE a = :v", "=", "a = :v"},
      {kUpdate, "REMOVE a b", "b", "a b"},
      {kUpdate, "ADD a", "<EOF>", "a"},
      {kUpdate, "ADD a b", "b", "a b"},
      {kUpdate, "ADD a = :v", "=", "a = :v"},
      {kUpdate, "DELETE a :s :s", ":s", ":s :s"},
      {kUpdate, "a = :v", "a", "a ="},
      // An underscore in front of a word is a token of its own, which no rule accepts.
      {kUpdate, "SET _type = :v", "_", "SET _type"},
      {kUpdate, "SET __typename = :v", "_", "SET __"},
      {kUpdate, "SET a._b = :v", "_", "._b"},
      {kUpdate, "SET a = _b", "_", "= _b"},
      {kUpdate, "SET a = if_not_exists(_b, :v)", "_", "(_b"},
      {kUpdate, "REMOVE _a", "_", "REMOVE _a"},
      {kUpdate, "ADD _a :v", "_", "ADD _a"},
      {kUpdate, "DELETE _a :s", "_", "DELETE _a"},
      {kUpdate, "_a = :v", "_", "_a"},
      {kCondition, "_version = :v", "_", "_version"},
      {kCondition, "attribute_exists(_type)", "_", "(_type"},
      {kCondition, "a = :v AND _b = :w", "_", "AND _b"},
      {kCondition, "_ = :v", "_", "_ ="},
      {kCondition, "_size(a) = :v", "_", "_size"},
      {kFilter, "_type = :v", "_", "_type"},
      {kKeyCondition, "_pk = :v", "_", "_pk"},
      {kProjection, "_type", "_", "_type"},
      {kProjection, "a, _1", "_", ", _1"},
      {kProjection, "a _b", "_", "a _b"},
  };
  for (const SyntaxCase& test : kCases) {
    const std::string expected = "Invalid " + std::string(ExpressionKindName(test.kind)) +
                                 ": Syntax error; token: \"" + std::string(test.token) +
                                 "\", near: \"" + std::string(test.near) + "\"";
    EXPECT_EQ(Message(test.kind, test.text), expected) << test.text;
  }
}

TEST(Syntax, AcceptsEveryFormOfTheGrammar) {
  static constexpr std::pair<ExpressionKind, std::string_view> kCases[] = {
      {kCondition, "a=:v"},
      {kCondition, " a = :v "},
      {kCondition, "a . b [ 1 ] . #a = :v"},
      {kCondition, "a=:v and b=:v OR Not c=:v"},
      {kCondition, "NOT NOT a = :v"},
      {kCondition, "(a) = (:v)"},
      {kCondition, "(a).b = :v"},
      {kCondition, "((a).b).c = :v"},
      {kCondition, "(a[0]).b = :v"},
      {kCondition, "(a = :v)"},
      {kCondition, "((a = :v) OR (b = :v))"},
      {kCondition, "(a = :v OR (b = :v))"},
      {kCondition, "(NOT (a = :v))"},
      {kCondition, "(a = :v) AND (b = :v)"},
      {kCondition, "(a) IN ((:v), (b))"},
      {kCondition, "a BETWEEN (:v) AND (:w) AND b = :v"},
      {kCondition, "a BETWEEN b AND c AND d BETWEEN e AND f"},
      {kCondition, "(size(a)) > :v"},
      {kCondition, ":v = :w"},
      {kCondition, ":v > a"},
      {kCondition, "a IN (:v)"},
      {kCondition, "contains(a, size(b))"},
      {kCondition, "set = :v OR b = :v"},  // a word of updates; see below
      {kFilter, "attribute_exists(a.b[0])"},
      {kKeyCondition, "(a = :v AND (b > :v))"},
      {kProjection, "a"},
      {kProjection, " a , b.c , d[1][2].#a "},
      {kProjection, "a_, b__c.d_1"},
      {kProjection, "#_a, c.#_a"},
      {kCondition, "#_a = :_v AND c_ < :_v"},
      {kUpdate, "set a=:v remove b add c :v delete d :s"},
      {kUpdate, "DELETE d :s ADD c :v REMOVE b SET a = :v"},
      {kUpdate, "SET a = (b + :v), c = (d) - (:v), e = ((f)), g = (if_not_exists((h), (:v)))"},
      {kUpdate, "SET a = if_not_exists(b, :v) + if_not_exists(c, :w)"},
      {kUpdate, "SET a = list_append(if_not_exists(b, :l), :l)"},
      {kUpdate, "REMOVE a[0], a[1], b.c"},
  };
  for (const auto& [kind, text] : kCases) {
    const std::string message = Message(kind, text);
    if (text.starts_with("set =")) {
      EXPECT_EQ(message,
                "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved "
                "keyword: set");
    } else {
      EXPECT_EQ(message, "ok") << text;
    }
  }
}

TEST(Syntax, EmptyAndBlankExpressionsAreRefused) {
  for (const ExpressionKind kind : {kUpdate, kCondition, kKeyCondition, kFilter, kProjection}) {
    for (const std::string_view text : {"", " ", "\t\r\n "}) {
      EXPECT_EQ(Message(kind, text), "Invalid " + std::string(ExpressionKindName(kind)) +
                                         ": The expression can not be empty;");
    }
  }
}

TEST(Syntax, SizeIsLimitedInBytes) {
  for (const ExpressionKind kind : {kUpdate, kCondition, kKeyCondition, kFilter, kProjection}) {
    std::string text = kind == kUpdate ? "SET a = :v" : kind == kProjection ? "a" : "a = :v";
    text.resize(4096, ' ');
    EXPECT_EQ(Message(kind, text), "ok");
    text += ' ';
    EXPECT_EQ(Message(kind, text),
              "Invalid " + std::string(ExpressionKindName(kind)) +
                  (kind == kUpdate ? ": Expression size has exceeded the maximum allowed size;"
                                   : ": Expression size has exceeded the maximum allowed size; "
                                     "expression size: 4097"));
  }
}

std::string Repeat(std::string_view piece, int times, std::string_view separator) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    if (i > 0) text += separator;
    text += piece;
  }
  return text;
}

TEST(Syntax, OperatorsAreCounted) {
  // 150 comparisons and 149 ANDs.
  EXPECT_EQ(Message(kCondition, "NOT " + Repeat("a=:v", 150, " AND ")), "ok");
  EXPECT_EQ(Message(kCondition, "NOT NOT " + Repeat("a=:v", 150, " AND ")),
            "Invalid ConditionExpression: The expression contains too many operators; operator "
            "count: 301");
  // Assignments do not count; the texts have 200 and 301 sums.
  std::string sums;
  for (int i = 0; i < 200; ++i) sums += (i ? ",a" : "SET a") + std::to_string(i) + "=b+:v";
  EXPECT_EQ(Message(kUpdate, sums), "ok");
  for (int i = 0; i < 101; ++i) sums += ",b" + std::to_string(i) + "=b-:v";
  EXPECT_EQ(Message(kUpdate, sums),
            "Invalid UpdateExpression: The expression contains too many operators; operator "
            "count: 301");
}

TEST(Syntax, OperandsOfInAreCounted) {
  EXPECT_EQ(Message(kFilter, "a IN (" + Repeat(":v", 100, ",") + ")"), "ok");
  EXPECT_EQ(Message(kFilter, "a IN (" + Repeat(":v", 101, ",") + ")"),
            "Invalid FilterExpression: The IN operator is provided with too many operands; number "
            "of operands: 101");
}

TEST(Syntax, ListIndicesHaveThirtyOneBits) {
  EXPECT_EQ(Message(kProjection, "a[2147483647]"), "ok");
  EXPECT_EQ(Message(kProjection, "a[007]"), "ok");
  EXPECT_EQ(Message(kProjection, "a[2147483648]"),
            "Invalid ProjectionExpression: List index is not within the allowable range; index: "
            "[2147483648]");
  EXPECT_EQ(Message(kProjection, "a[21474836470]"),
            "Invalid ProjectionExpression: List index is not within the allowable range; index: "
            "[21474836470]");
  EXPECT_EQ(Message(kUpdate, "REMOVE a[99999999999999999999999]"),
            "Invalid UpdateExpression: List index is not within the allowable range; index: "
            "[99999999999999999999999]");
}

}  // namespace
}  // namespace hashrange::testing
