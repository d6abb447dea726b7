#include "expression/condition.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "expression/expression_fixture.h"
#include "expression/random_condition.h"

namespace hashrange::testing {
namespace {

bool Matches(std::string_view text, ItemView item, Request& request) {
  Arena arena;
  const Result<Condition> condition =
      BindCondition(ExpressionKind::kFilter, text, request.placeholders(), arena);
  EXPECT_TRUE(condition.ok()) << text << ": " << condition.error().message;
  return condition.ok() && condition->Matches(item);
}

TEST(Condition, EmptyConditionHolds) {
  EXPECT_TRUE(Condition().Matches(NoItem()));
  EXPECT_TRUE(Condition().empty());
}

// A value of each type, a greater one of the same type, and whether the type has an order.
struct TypeRow {
  AttributeType type;
  ValueView value;
  ValueView greater;
};
const std::vector<TypeRow>& TypeRows() {
  static const auto* const rows = new std::vector<TypeRow>{
      {AttributeType::kS, S("b"), S("c")},
      {AttributeType::kN, N("10"), N("11")},
      {AttributeType::kB, B("b"), B("c")},
      {AttributeType::kBool, Bool(false), Bool(true)},
      {AttributeType::kNull, Null(), Null()},
      {AttributeType::kSS, SS({"b"}), SS({"b", "c"})},
      {AttributeType::kNS, NS({"1"}), NS({"2"})},
      {AttributeType::kBS, BS({"b"}), BS({"c"})},
      {AttributeType::kL, L({N("1")}), L({N("2")})},
      {AttributeType::kM, M({{"a", N("1")}}), M({{"a", N("2")}})},
  };
  return *rows;
}

TEST(Condition, ComparatorsOverAllTypes) {
  for (const TypeRow& left : TypeRows()) {
    const TestItem item({{"a", left.value}});
    for (const TypeRow& right : TypeRows()) {
      const bool same_type = left.type == right.type;
      Request equal({}, {{":v", right.value}});
      Request greater({}, {{":v", right.greater}});
      const std::string name =
          std::string(TypeTag(left.type)) + " " + std::string(TypeTag(right.type));
      EXPECT_EQ(Matches("a = :v", item.view(), equal), same_type) << name;
      EXPECT_EQ(Matches("a <> :v", item.view(), equal), !same_type) << name;
      EXPECT_EQ(Matches("a IN (:v)", item.view(), equal), same_type) << name;
      if (right.type != AttributeType::kNull) {
        EXPECT_FALSE(Matches("a = :v", item.view(), greater)) << name;
        EXPECT_TRUE(Matches("a <> :v", item.view(), greater)) << name;
      }
      if (!IsScalarKey(right.type)) continue;
      const bool ordered = same_type;
      EXPECT_EQ(Matches("a < :v", item.view(), greater), ordered) << name;
      EXPECT_EQ(Matches("a <= :v", item.view(), greater), ordered) << name;
      EXPECT_EQ(Matches("a <= :v", item.view(), equal), ordered) << name;
      EXPECT_FALSE(Matches("a < :v", item.view(), equal)) << name;
      EXPECT_FALSE(Matches("a > :v", item.view(), greater)) << name;
      EXPECT_EQ(Matches("a >= :v", item.view(), equal), ordered) << name;
      EXPECT_EQ(Matches(":v > a", item.view(), greater), ordered) << name;
      EXPECT_EQ(Matches("a BETWEEN :v AND :v", item.view(), equal), ordered) << name;
    }
  }
}

struct EvaluationCase {
  std::string_view text;
  bool expected;
};

void Check(const TestItem& item, Request& request, std::span<const EvaluationCase> cases) {
  for (const EvaluationCase& test : cases) {
    EXPECT_EQ(Matches(test.text, item.view(), request), test.expected) << test.text;
  }
}

TEST(Condition, MissingPathsHaveNoValue) {
  const TestItem item({{"a", M({{"b", L({N("1"), Null()})}})}, {"z", N("1")}});
  Request request({}, {{":n", N("1")}, {":s", S("s")}, {":t", S("NULL")}});
  static constexpr EvaluationCase kCases[] = {
      {"x = :n", false},
      {"x <> :n", true},
      {"x <> y", true},
      {"x = y", false},
      {"x < :n", false},
      {"x >= :n", false},
      {"x BETWEEN :n AND :n", false},
      {"z BETWEEN x AND :n", false},
      {"z BETWEEN :n AND x", false},
      {"x IN (:n)", false},
      {"x IN (y)", false},
      {"z IN (x, :n)", true},
      {"NOT x = :n", true},
      {"NOT contains(x, :s)", true},
      {"contains(x, :s)", false},
      {"contains(z, x)", false},
      {"begins_with(x, :s)", false},
      {"begins_with(:s, x)", false},
      {"attribute_exists(x)", false},
      {"attribute_not_exists(x)", true},
      {"attribute_exists(a.b[0])", true},
      {"attribute_exists(a.b[1])", true},
      {"attribute_exists(a.b[2])", false},
      {"attribute_exists(a.c)", false},
      {"attribute_exists(a[0])", false},
      {"attribute_exists(a.b.c)", false},
      {"attribute_exists(z.b)", false},
      {"attribute_exists(pk)", true},
      {"attribute_type(a.b[1], :t)", true},
      {"attribute_type(x, :t)", false},
      {"attribute_type(z, :t)", false},
      {"size(x) = :n", false},
      {"size(x) <> :n", true},
      {"size(x) < :n", false},
  };
  Check(item, request, kCases);
}

TEST(Condition, MissingItemHasNoAttributes) {
  Request request({}, {{":n", N("1")}});
  EXPECT_TRUE(Matches("attribute_not_exists(pk)", NoItem(), request));
  EXPECT_TRUE(Matches("pk <> :n", NoItem(), request));
  EXPECT_FALSE(Matches("pk = :n", NoItem(), request));
}

TEST(Condition, BeginsWithAndContains) {
  const TestItem item({{"s", S("hello")},
                       {"b", B(std::string_view("a\0b\0c", 5))},
                       {"n", N("15")},
                       {"ss", SS({"", "x", "y"})},
                       {"ns", NS({"1", "2.50"})},
                       {"bs", BS({"x"})},
                       {"l", L({S("x"), L({N("1")}), M({{"k", NS({"2", "1"})}}), Null()})},
                       {"mm", M({{"x", N("1")}})}});
  Request request({}, {{":e", S("")},
                       {":h", S("he")},
                       {":ll", S("ll")},
                       {":hello", S("hello!")},
                       {":x", S("x")},
                       {":n", N("2.5")},
                       {":one", N("1")},
                       {":b", B("a")},
                       {":nul", B(std::string_view("\0b", 2))},
                       {":eb", B("")},
                       {":bx", B("x")},
                       {":l", L({N("1.0")})},
                       {":m", M({{"k", NS({"1", "2.0"})}})},
                       {":null", Null()},
                       {":ss", SS({"x"})}});
  static constexpr EvaluationCase kCases[] = {
      {"begins_with(s, :h)", true},     {"begins_with(s, :e)", true},
      {"begins_with(s, :ll)", false},   {"begins_with(s, :hello)", false},
      {"begins_with(s, :b)", false},    {"begins_with(b, :b)", true},
      {"begins_with(b, :eb)", true},    {"begins_with(b, :h)", false},
      {"begins_with(n, :h)", false},    {"begins_with(ss, :e)", false},
      {"begins_with(:hello, s)", true}, {"contains(s, :ll)", true},
      {"contains(s, :e)", true},        {"contains(s, :hello)", false},
      {"contains(s, :b)", false},       {"contains(b, :nul)", true},
      {"contains(b, :bx)", false},      {"contains(b, :x)", false},
      {"contains(n, :one)", false},     {"contains(ss, :x)", true},
      {"contains(ss, :e)", true},       {"contains(ss, :h)", false},
      {"contains(ss, :bx)", false},     {"contains(ss, :ss)", false},
      {"contains(ns, :n)", true},       {"contains(ns, :x)", false},
      {"contains(bs, :bx)", true},      {"contains(bs, :x)", false},
      {"contains(l, :x)", true},        {"contains(l, :l)", true},
      {"contains(l, :m)", true},        {"contains(l, :null)", true},
      {"contains(l, :one)", false},     {"contains(l, :ss)", false},
      {"contains(mm, :x)", false},      {"contains(:hello, s)", true},
      {"contains(ss, l[0])", true},
  };
  Check(item, request, kCases);
}

TEST(Condition, SizeCountsUnitsOfEachType) {
  const TestItem item({{"s", S("h\xC3\xA9\xF0\x9F\x98\x80")},
                       {"e", S("")},
                       {"b", B(std::string_view("\0\1\2", 3))},
                       {"n", N("123")},
                       {"t", Bool(true)},
                       {"u", Null()},
                       {"ss", SS({"a", "b"})},
                       {"ns", NS({"1", "2", "3"})},
                       {"bs", BS({"a"})},
                       {"l", L({L({N("1"), N("2")})})},
                       {"mm", M({{"a", N("1")}, {"b", N("1")}})}});
  Request request({}, {{":0", N("0")},
                       {":1", N("1")},
                       {":2", N("2")},
                       {":3", N("3")},
                       {":4", N("4")},
                       {":v", S("abc")},
                       {":l", L({})}});
  static constexpr EvaluationCase kCases[] = {
      {"size(s) = :4", true},
      {"size(e) = :0", true},
      {"size(b) = :3", true},
      {"size(n) = :3", false},
      {"size(n) <> :3", true},
      {"size(t) = :1", false},
      {"size(u) = :0", false},
      {"size(ss) = :2", true},
      {"size(ns) = :3", true},
      {"size(bs) = :1", true},
      {"size(l) = :1", true},
      {"size(l[0]) = :2", true},
      {"size(mm) = :2", true},
      {"size(:v) = :3", true},
      {"size(:l) = :0", true},
      {":3 > size(ss)", true},
      {"size(s) > size(ss)", true},
      {"size(ss) BETWEEN size(bs) AND size(ns)", true},
      {"size(bs) IN (:0, size(l))", true},
      {"contains(ns, size(ss))", true},
  };
  Check(item, request, kCases);
}

TEST(Condition, EqualityIsDeepAndNumeric) {
  const TestItem item({{"n", N("1.0")},
                       {"ns", NS({"1", "2.0"})},
                       {"mm", M({{"b", L({NS({"1", "2"})})}, {"a", Null()}})},
                       {"twin", M({{"a", Null()}, {"b", L({NS({"2", "1.00"})})}})}});
  Request request({}, {{":n", N("1")},
                       {":ns", NS({"2", "1"})},
                       {":m", M({{"a", Null()}, {"b", L({NS({"2", "1"})})}})},
                       {":other", M({{"a", Null()}, {"b", L({NS({"2", "3"})})}})}});
  static constexpr EvaluationCase kCases[] = {
      {"n = :n", true},    {"ns = :ns", true},     {"mm = :m", true},
      {"mm = twin", true}, {"mm = :other", false}, {"mm.b = :n", false},
  };
  Check(item, request, kCases);
}

TEST(Condition, StringsOrderByBytes) {
  const TestItem item({{"a", S("Z")}, {"b", S("a")}, {"c", S("\xC3\xA9")}, {"d", S("aa")}});
  Request request({}, {});
  static constexpr EvaluationCase kCases[] = {
      {"a < b", true}, {"b < c", true}, {"b < d", true}, {"d < c", true}, {"c < a", false},
  };
  Check(item, request, kCases);
}

TEST(Condition, LogicBindsNotThenAndThenOr) {
  const TestItem item({{"t", Bool(true)}});
  Request request({}, {{":t", Bool(true)}, {":f", Bool(false)}});
  static constexpr EvaluationCase kCases[] = {
      {"t = :t OR t = :t AND t = :f", true},
      {"(t = :t OR t = :t) AND t = :f", false},
      {"NOT t = :f AND t = :f", false},
      {"NOT (t = :f AND t = :f)", true},
      {"NOT t = :t OR t = :t", true},
      {"NOT (t = :t OR t = :t)", false},
      {"NOT NOT t = :t", true},
      {"t = :f AND t = :t OR t = :t AND t = :t", true},
      {"t = :f OR t = :f OR t = :t", true},
      {"t = :t AND t = :t AND t = :f", false},
      {"NOT (t = :t AND NOT (t = :f OR NOT t = :t))", false},
  };
  Check(item, request, kCases);
}

TEST(Condition, PathsAreListedInOrderOfText) {
  Request request({{"#x", "data"}}, {{":v", N("1")}});
  Arena arena;
  const Result<Condition> condition =
      BindCondition(ExpressionKind::kFilter, "b.c = :v AND (size(a[1]) > #x OR b = a)",
                    request.placeholders(), arena);
  ASSERT_TRUE(condition.ok());
  std::string paths;
  for (const Path path : condition->paths()) paths += PrintPath(path);
  EXPECT_EQ(paths, "[b, c][a, [1]][data][b][a]");
}

// Legacy conditions are lowered to this form.
TEST(Condition, CanBeMadeWithoutText) {
  const PathElement element{"a"};
  const ConditionOperand path{ConditionOperand::Form::kPath, nullptr, Path(&element, 1), {}};
  const ConditionOperand value{ConditionOperand::Form::kValue, nullptr, {}, S("x")};
  const ConditionOperand operands[] = {path, value};
  ConditionNode not_contains;
  not_contains.function = FindFunction("contains");
  not_contains.operands = operands;
  not_contains.if_true = &kConditionFails;
  not_contains.if_false = &kConditionHolds;
  const Condition condition(&not_contains, {});
  EXPECT_FALSE(condition.Matches(TestItem({{"a", S("axb")}}).view()));
  EXPECT_TRUE(condition.Matches(TestItem({{"a", S("ab")}}).view()));
  EXPECT_TRUE(condition.Matches(NoItem()));
}

TEST(Condition, RandomTreesAgreeWithNaiveEvaluation) {
  std::mt19937 random(7);
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::function<bool(const int*)> holds;
    const std::string text = RandomCondition(seed).Make(5, &holds);
    if (text.size() > 4096) continue;
    Request request({}, RandomCondition::Values());
    Arena arena;
    const Result<Condition> condition =
        BindCondition(ExpressionKind::kFilter, text, request.placeholders(), arena);
    ASSERT_TRUE(condition.ok()) << text << condition.error().message;
    for (int i = 0; i < 20; ++i) {
      int numbers[RandomCondition::kAttributes];
      const TestItem item = RandomCondition::MakeItem(random, numbers);
      ASSERT_EQ(condition->Matches(item.view()), holds(numbers)) << text;
    }
  }
}

}  // namespace
}  // namespace hashrange::testing
